# syntax=docker/dockerfile:1
# One image for every role: `docker run lasso gateway --kafka …`. See docs/operations.md.

FROM eclipse-temurin:25-jdk-noble AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends maven \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/maven mvn -q -B -Dmaven.repo.local=/maven -pl launcher -am -DskipTests -Dlasso.train.skip package
RUN docker/assemble launcher/target/lasso/lib /opt/lasso \
  && mkdir /opt/own && mv /opt/lasso/lib/lasso-*.jar /opt/own/

FROM debian:bookworm-slim
RUN groupadd --gid 10001 lasso \
  && useradd --uid 10001 --gid lasso --home-dir /var/lib/lasso --create-home --shell /usr/sbin/nologin lasso
# what changes least comes first
COPY --from=build /opt/lasso/jre /opt/lasso/jre
COPY --from=build /opt/lasso/lib /opt/lasso/lib
COPY --from=build /opt/lasso/bin /opt/lasso/bin
COPY --from=build /opt/lasso/classpath /opt/lasso/classpath
COPY --from=build /opt/own /opt/lasso/lib
COPY bin/train /tmp/train
COPY config/profiles /etc/lasso/profiles
RUN /tmp/train /opt/lasso/bin/lasso /opt/lasso/lasso.aot && rm /tmp/train
USER 10001:10001
WORKDIR /var/lib/lasso
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=4s --start-period=60s --retries=3 CMD ["/opt/lasso/bin/live"]
# exec form, and the script execs: the JVM is process 1 and gets SIGTERM
ENTRYPOINT ["/opt/lasso/bin/lasso"]
CMD ["--help"]
