// The findings and sources of plans.
@_exported import TrackingRules
