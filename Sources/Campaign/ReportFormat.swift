/// Who reads a report: people, programs, spreadsheets.
public enum ReportFormat: String, Sendable, CaseIterable {
  case html, json, csv
}
