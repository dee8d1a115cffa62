# Flagboard in a container: docs/installing.md has the first steps, compose.yaml the settings.

FROM swift:6.2-bookworm AS build
WORKDIR /flagboard
# By itself, so that an edit of the sources doesn't install the libraries again.
COPY script/setup script/
RUN apt-get update && script/setup
COPY . .
RUN swift build -c release --static-swift-stdlib --product flagboard \
    && strip -o /usr/local/bin/flagboard .build/release/flagboard

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libsqlite3-0 libstdc++6 libxml2 tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 1000 flagboard \
    && useradd --uid 1000 --gid flagboard --no-create-home --home-dir /var/lib/flagboard --shell /usr/sbin/nologin flagboard \
    && install -d -o flagboard -g flagboard -m 700 /var/lib/flagboard
COPY --from=build /usr/local/bin/flagboard /usr/local/bin/flagboard

# A number, so that Kubernetes can see that it isn't root's.
USER 1000:1000
# The folder of flags.xml, its manifest, history and tokens.
WORKDIR /var/lib/flagboard
VOLUME /var/lib/flagboard
ENV FLAGBOARD_HOST=0.0.0.0 FLAGBOARD_NO_BROWSER=true FLAGBOARD_LOG_FORMAT=json
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/${FLAGBOARD_PORT:-8080}; printf 'GET /healthz HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nConnection: close\\r\\n\\r\\n' ${FLAGBOARD_PORT:-8080} >&3; read -r line <&3; [[ $line == *' 200 '* ]]"]
ENTRYPOINT ["flagboard"]
CMD ["serve", "flags.xml"]
