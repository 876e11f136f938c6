# The command `tracking` for tests in containers.
#
#   docker build -t tracking .
#   docker run --rm --network host --user "$(id -u):$(id -g)" -v "$PWD:/work" tracking serve --accept segment --write-env serve.env
#
# It listens on the loopback addresses alone, so a port that is published (-p) reaches nothing. Containers that share its network
# reach it under localhost: `--network host` on Linux, `--network container:NAME`, or `network_mode: service:tracking` in Compose.
FROM swift:6.3-bookworm AS build
COPY . /package
RUN /package/Scripts/release --output /archive

FROM debian:bookworm-slim
# libcurl and the certificates are for --record, of backends on other machines and over https.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates libcurl4 libstdc++6 \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /archive/tracking /usr/local/bin/tracking
WORKDIR /work
ENTRYPOINT ["tracking"]
