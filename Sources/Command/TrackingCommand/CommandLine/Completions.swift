/// Completions for shells, which call the command with `--complete WORDS...`.
enum Completions {
  private static let scripts = [
    "bash": """
    _tracking() {
      local IFS=$'\\n'
      COMPREPLY=($("$1" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
    }
    complete -o default -F _tracking tracking

    """,
    "zsh": """
    #compdef tracking
    _tracking() {
      local -a found
      found=("${(@f)$("$words[1]" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
      if [[ -n "$found" ]]; then compadd -- "${found[@]}"; else _files; fi
    }
    if [[ "$funcstack[1]" = _tracking ]]; then _tracking "$@"; else compdef _tracking tracking; fi

    """,
    "fish": """
    function __tracking_complete
      set -l words (commandline -opc)
      set -l word (commandline -ct)
      set -l found ($words[1] --complete $words[2..-1] "$word" 2>/dev/null)
      if set -q found[1]; printf '%s\\n' $found; else; __fish_complete_path "$word"; end
    end
    complete -c tracking -f -a '(__tracking_complete)'

    """,
  ]

  static func script(for shell: String?) throws(CommandError) -> String {
    guard let shell, let script = scripts[shell] else {
      throw CommandError("--completions: expected bash, zsh or fish\(shell.map { ", found \($0)" } ?? "")")
    }
    return script
  }

  /// The candidates for the last word; empty if the shell should complete files.
  static func candidates(for words: [String]) -> [String] {
    let word = words.last ?? ""
    guard words.count > 1 else { return matching(AllVerbs.list.map(\.name) + ["help"], word) }
    if words[0] == "help" { return words.count == 2 ? matching(HelpTopic.pages, word) : [] }
    guard let verb = AllVerbs.list.first(where: { $0.name == words[0] }) else { return [] }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if let option = verb.options.first(where: { $0.isCalled(parts.count == 2 ? parts[0] : words[words.count - 2]) }),
      option.kind != .flag, words.count > 2 || parts.count == 2
    {
      // bash passes the equals sign as a word.
      return values(option.completion, parts.last == "=" ? "" : parts.last ?? "")
    }
    return word.hasPrefix("-") ? matching(verb.options.map(\.name), word) : values(verb.operands.completion, word)
  }

  private static func values(_ completion: VerbOption.Completion, _ word: String) -> [String] {
    switch completion {
    case .files: return []
    case .words(let words): return matching(words, word)
    case .list(let words):
      let start = word.lastIndex(of: ",").map { word[...$0] } ?? ""
      return matching(words, String(word.dropFirst(start.count))).map { start + $0 }
    }
  }

  private static func matching(_ words: [String], _ start: String) -> [String] {
    words.filter { $0.hasPrefix(start) }.sorted()
  }
}
