#if canImport(Darwin)
  extension AnswerPlan {
    /// The plan without what a session loses.
    var withoutLosses: AnswerPlan { self }
  }
#endif
