import StubReplay

/// The order of exchanges in a recording: by epoch, path, method and the other conditions of a replay.
///
/// Different requests of one epoch may have arrived in any order; equal ones are a sequence.
enum ExchangeOrder {
  static func indices(of exchanges: [RecordedExchange]) -> [Int] { indices(of: BackendRecording(exchanges: exchanges)) }

  static func indices(of recording: BackendRecording) -> [Int] {
    // Without placeholders, whose numbers may differ in another recording.
    let conditions = recording.conditions(comparing: [])
    let keys = zip(recording.exchanges, conditions).map { exchange, conditions in
      (epoch: exchange.epoch ?? 0, text: "\(conditions.path)\n\(conditions.pattern)\n\(exchange.request.origin)")
    }
    return keys.indices.sorted { left, right in
      (keys[left].epoch, keys[left].text, left) < (keys[right].epoch, keys[right].text, right)
    }
  }
}
