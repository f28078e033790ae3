// swift-tools-version: 6.2
// Salvo builds with the toolchain and Debian's libcurl, libpq, OpenSSL and libmicrohttpd alone: no outside Swift package.
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

// Top to bottom as the data flows down: a target imports only targets listed below it.
let package = Package(
  name: "salvo",
  products: [.executable(name: "salvo", targets: ["Salvo"])],
  targets: [
    .executableTarget(
      name: "Salvo",
      dependencies: [
        "Monitor", "Pipeline", "Report", "Store", "Providers", "Rendering", "Campaign", "Signing", "Transport",
        "Postgres",
        "Base",
      ],
      swiftSettings: settings),
    .target(
      name: "Monitor", dependencies: ["Report", "Store", "Campaign", "Signing", "Base", "CMicroHTTPD"],
      exclude: ["README.md"],
      resources: [.embedInCode("page.css"), .embedInCode("page.js")], swiftSettings: settings),
    .target(
      name: "Pipeline",
      dependencies: ["Report", "Store", "Providers", "Rendering", "Campaign", "Signing", "Transport", "Base"],
      swiftSettings: settings),
    .target(
      name: "Report", dependencies: ["Store", "Campaign", "Base"],
      resources: [.embedInCode("report.css")],
      swiftSettings: settings),
    .target(
      name: "Store", dependencies: ["Migrations", "Campaign", "Postgres", "Base"],
      swiftSettings: settings),
    .target(
      name: "Migrations", path: "SQL", exclude: ["README.md", "KEYS.md", "citus.sql"], sources: ["Migrations.swift"],
      resources: [
        .embedInCode("0001_schema.sql"), .embedInCode("0002_functions.sql"), .embedInCode("0003_views.sql"),
        .embedInCode("0004_jobs.sql"), .embedInCode("0005_house.sql"),
        .embedInCode("0006_inbox.sql"), .embedInCode("0007_targets.sql"),
      ],
      swiftSettings: settings),
    .target(
      name: "Providers", dependencies: ["Rendering", "Campaign", "Signing", "Transport", "Base"],
      resources: [
        .embedInCode("FCM/Templates"), .embedInCode("APNs/Templates"),
        .embedInCode("HMS/Templates"), .embedInCode("AppMetrica/Templates"),
        .embedInCode("RuStore/Templates"), .embedInCode("Profiles/Templates"),
      ],
      swiftSettings: settings),
    .target(
      name: "Rendering", dependencies: ["Campaign", "Base"], exclude: ["README.md"], swiftSettings: settings),
    .target(
      name: "Campaign", dependencies: ["Signing", "Base"], exclude: ["CONTENT.md", "content.schema.json"],
      swiftSettings: settings),
    .target(name: "Signing", dependencies: ["Base", "COpenSSL"], swiftSettings: settings),
    .target(name: "Transport", dependencies: ["Base", "CCurl"], swiftSettings: settings),
    .target(name: "Postgres", dependencies: ["Base", "CLibpq"], swiftSettings: settings),
    .target(name: "Base", dependencies: ["CLinux"], swiftSettings: settings),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CLinux"),

    .testTarget(name: "BaseTests", dependencies: ["Base"], swiftSettings: settings),
    .testTarget(name: "SigningTests", dependencies: ["Signing", "Base"], swiftSettings: settings),
    .testTarget(
      name: "CampaignTests", dependencies: ["Campaign", "Signing", "Base"], swiftSettings: settings),
    .testTarget(
      name: "RenderingTests", dependencies: ["Rendering", "Campaign", "Signing", "Base"],
      swiftSettings: settings),
    .testTarget(
      name: "ProvidersTests",
      dependencies: ["Providers", "Rendering", "Campaign", "Signing", "Transport", "Base"],
      swiftSettings: settings),
    .testTarget(
      name: "TransportTests", dependencies: ["Transport", "Base"], swiftSettings: settings),
    .testTarget(
      name: "PipelineTests",
      dependencies: ["Pipeline", "Store", "Providers", "Rendering", "Campaign", "Transport", "Base"],
      swiftSettings: settings),
    .testTarget(
      name: "MonitorTests", dependencies: ["Monitor", "Store", "Campaign", "Base"], swiftSettings: settings),
    .testTarget(
      name: "ReportTests", dependencies: ["Report", "Store", "Campaign", "Base"], swiftSettings: settings),
    .testTarget(
      name: "DatabaseTests", dependencies: ["Store", "Campaign", "Postgres", "Base"],
      swiftSettings: settings),
    .testTarget(
      name: "WireTests", dependencies: ["Transport", "Base"], exclude: ["servers"],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests", dependencies: ["Base"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
