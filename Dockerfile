# rpclab in a container. It judges a program that this image can run, for example:
#   docker build -t rpclab .
#   docker run --rm -v "$PWD:/work" rpclab conform -- ./my-server
# For a server in another language, copy rpclab into its image, or start from this one.
# The base is named by its tag, so that a new build has the newest fixes. Name it by its
# digest where each build must have the same bytes.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY rpclab rpclab
COPY exercises exercises
COPY notebooks notebooks
RUN pip wheel --no-cache-dir --wheel-dir /wheels .

FROM python:3.13-slim
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links=/wheels /wheels/rpclab-*.whl \
    && useradd --create-home --uid 1000 rpclab
USER 1000
WORKDIR /work
ENTRYPOINT ["rpclab"]
CMD ["--help"]
