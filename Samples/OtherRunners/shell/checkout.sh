#!/bin/sh
# Run it with `sh checkout.sh`; its exit status is 1 if a check has failed, and results.xml has the tests.
. "$(dirname "$0")/tracking.sh"

overloaded='[{"request": "POST /orders", "responses": [{"status": 503}, {"status": 201, "json": {"id": 7, "total": 120}}]}]'

buy() {
  stub "$overloaded"
  SHOP_BACKEND=$TRACKING_URL python3 "$(dirname "$0")/../app.py" lamp 2 &
  app=$!
}

start

begin "a purchase is tracked once"
buy
check 'purchase total=120 currency=EUR'
check '{"noDuplicates": {"within": 1}}'
wait $app
finish results.xml

begin "an overloaded backend gets the order again"
buy
check '{"request": "POST /orders", "body": {"sku": "lamp", "quantity": 2}, "responded": 503}'
check - <<'CHECK'
{"inOrder": [{"request": "POST /orders", "responded": 503}, {"request": "POST /orders", "responded": 201}, {"event": "purchase"}]}
CHECK
wait $app
finish results.xml

begin "nothing is tracked before the consent"
buy
check '{"none": {"event": "product_viewed"}, "before": {"event": "consent_given"}}'
wait $app
finish results.xml

exit $failed
