/// Scripts that let shells complete salvo's words, made from the table of commands.
enum Completions {
  enum Shell: String, CaseIterable { case bash, zsh, fish }

  /// What may follow an option.
  private enum Value {
    case nothing
    case words([String])
    case file
    case folder
    case other

    init(_ option: CommandSpec.Option) {
      switch option.value {
      case nil: self = .nothing
      case "FILE": self = .file
      case "DIR": self = .folder
      case let value? where value.contains("|"): self = .words(value.split(separator: "|").map(String.init))
      default: self = .other
      }
    }
  }

  static func script(_ shell: Shell, _ specs: [CommandSpec]) -> String {
    switch shell {
    case .bash: bash(specs)
    case .zsh: zsh(specs)
    case .fish: fish(specs)
    }
  }

  /// The first words, each with the second ones that may follow, in the table's order.
  private static func groups(_ specs: [CommandSpec]) -> [(word: String, specs: [CommandSpec])] {
    var words: [String] = []
    for spec in specs where !words.contains(spec.words[0]) { words.append(spec.words[0]) }
    return words.map { word in (word, specs.filter { $0.words[0] == word }) }
  }

  /// What a first word is for: a command's own summary, or its commands.
  private static func summary(_ group: (word: String, specs: [CommandSpec])) -> String {
    group.specs.count == 1 && group.specs[0].words.count == 1
      ? group.specs[0].summary : group.specs.compactMap { $0.words.dropFirst().first }.joined(separator: ", ")
  }

  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

  // MARK: bash

  private static func bash(_ specs: [CommandSpec]) -> String {
    var lines = [
      "# bash completion for salvo",
      "_salvo() {",
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
      "  local options='' folders='' others='' words=''",
      "  COMPREPLY=()",
      "  if ((COMP_CWORD == 1)); then",
      "    words=\(quoted(groups(specs).map(\.word).joined(separator: " ")))",
    ]
    for group in groups(specs) where group.specs[0].words.count > 1 {
      let seconds = group.specs.map { $0.words[1] }.joined(separator: " ")
      lines.append("  elif ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == \(group.word) ]]; then")
      lines.append("    words=\(quoted(seconds))")
    }
    lines += ["  else", "    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in"]
    for spec in specs {
      let pattern = spec.words.count > 1 ? quoted(spec.words.joined(separator: " ")) : quoted(spec.words[0] + " ") + "*"
      func names(_ isWanted: (Value) -> Bool) -> String {
        quoted(spec.allOptions.filter { isWanted(Value($0)) }.map(\.name).joined(separator: " "))
      }
      lines.append("      \(pattern))")
      lines.append("        options=\(names { _ in true })")
      lines.append("        folders=\(names { if case .folder = $0 { true } else { false } })")
      lines.append("        others=\(names { if case .other = $0 { true } else { false } })")
      for option in spec.allOptions {
        guard case .words(let words) = Value(option) else { continue }
        lines.append("        [[ $previous == \(option.name) ]] && words=\(quoted(words.joined(separator: " ")))")
      }
      lines.append("        ;;")
    }
    lines += [
      "    esac",
      "  fi",
      "  local choice=(-f)",
      "  case \" $folders \" in *\" $previous \"*) choice=(-d) words='' ;; esac",
      "  case \" $others \" in *\" $previous \"*) return ;; esac",
      "  if [[ -n $words ]]; then",
      "    choice=(-W \"$words\")",
      "  elif [[ $current == -* ]]; then",
      "    choice=(-W \"$options\")",
      "  fi",
      "  mapfile -t COMPREPLY < <(compgen \"${choice[@]}\" -- \"$current\")",
      "}",
      "complete -o filenames -F _salvo salvo",
    ]
    return lines.joined(separator: "\n")
  }

  // MARK: zsh

  private static func zsh(_ specs: [CommandSpec]) -> String {
    func described(_ word: String, _ summary: String) -> String {
      quoted("\(word):\(summary.replacing(":", with: "\\:"))")
    }
    func argument(_ option: CommandSpec.Option) -> String {
      let help = option.help.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
      let value =
        switch Value(option) {
        case .nothing: ""
        case .words(let words): ":\(option.name.dropFirst(2)):(\(words.joined(separator: " ")))"
        case .file: ":file:_files"
        case .folder: ":folder:_files -/"
        case .other: ":\((option.value ?? "").lowercased()): "
        }
      return quoted("\(option.isRepeatable ? "*" : "")\(option.name)[\(help)]\(value)")
    }
    var lines = ["#compdef salvo", "_salvo() {", "  local -a found", "  if ((CURRENT == 2)); then", "    found=("]
    lines += groups(specs).map { "      \(described($0.word, summary($0)))" }
    lines += ["    )", "    _describe command found", "    return", "  fi"]
    for group in groups(specs) where group.specs[0].words.count > 1 {
      lines += ["  if ((CURRENT == 3)) && [[ $words[2] == \(group.word) ]]; then", "    found=("]
      lines += group.specs.map { "      \(described($0.words[1], $0.summary))" }
      lines += ["    )", "    _describe command found", "    return", "  fi"]
    }
    lines.append("  case \"$words[2] $words[3]\" in")
    for spec in specs {
      let count = spec.words.count
      let pattern = count > 1 ? quoted(spec.words.joined(separator: " ")) : quoted(spec.words[0] + " ") + "*"
      lines += [
        "    \(pattern))", "      shift \(count) words", "      ((CURRENT -= \(count)))", "      _arguments -s \\",
      ]
      lines += spec.allOptions.map { "        \(argument($0)) \\" }
      lines += ["        '*::operand:_files'", "      ;;"]
    }
    // As a file of $fpath it is the function's body the first time; sourced, it only defines it.
    lines += ["  esac", "}", "if [[ ${funcstack[1]} == _salvo ]]; then _salvo; else compdef _salvo salvo; fi"]
    return lines.joined(separator: "\n")
  }

  // MARK: fish

  private static func fish(_ specs: [CommandSpec]) -> String {
    var lines = ["# fish completion for salvo", "complete -c salvo -f"]
    func fishQuoted(_ text: String) -> String {
      "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
    for group in groups(specs) {
      lines.append("complete -c salvo -n __fish_use_subcommand -a \(group.word) -d \(fishQuoted(summary(group)))")
      for spec in group.specs where spec.words.count > 1 {
        let seconds = group.specs.map { $0.words[1] }.joined(separator: " ")
        lines.append(
          "complete -c salvo -n '__fish_seen_subcommand_from \(group.word); and not __fish_seen_subcommand_from"
            + " \(seconds)' -a \(spec.words[1]) -d \(fishQuoted(spec.summary))")
      }
    }
    for spec in specs {
      let seen = spec.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
      for option in spec.allOptions {
        let value =
          switch Value(option) {
          case .nothing: ""
          case .words(let words): " -x -a \(fishQuoted(words.joined(separator: " ")))"
          case .file: " -r -F"
          case .folder: " -x -a '(__fish_complete_directories)'"
          case .other: " -x"
          }
        lines.append(
          "complete -c salvo -n '\(seen)' -l \(option.name.dropFirst(2))\(value) -d \(fishQuoted(option.help))")
      }
    }
    return lines.joined(separator: "\n")
  }
}
