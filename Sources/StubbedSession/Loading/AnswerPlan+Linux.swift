#if os(Linux)
  import Foundation

  extension AnswerPlan {
    /// The plan without what a session loses: the body comes in one piece, when the last of its pieces would.
    ///
    /// A session of FoundationNetworking hands the last piece that it was told of to a completion handler, and no other. A protocol is not told
    /// whether its task has one.
    var withoutLosses: AnswerPlan {
      var body = Data()
      var delay: TimeInterval = 0
      var whole: [Step] = []
      for (index, step) in steps.enumerated() {
        guard case .body(let piece) = step.event else {
          whole.append(step)
          continue
        }
        body += piece
        delay += step.delay
        if index + 1 < steps.count, case .body = steps[index + 1].event { continue }
        whole.append(Step(delay: delay, event: .body(body)))
      }
      return AnswerPlan(steps: whole)
    }
  }
#endif
