# Kalends in a container: `docker build -t kalends .`, then compose.yaml, or
#   docker run --init -e KALENDS_PASSWORD=… -p 127.0.0.1:8501:8501 -v kalends:/data -v "$PWD/documents:/documents:ro" kalends
# All that it writes is in /data; it needs no network at run time, and runs as a user without rights.

FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# hnswlib is compiled.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends build-essential && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/kalends
ENV PATH=/opt/kalends/bin:$PATH
WORKDIR /src
# torch first, and alone: asked for through another package, an index may answer with a build of several gigabytes.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN pip install --index-url "$TORCH_INDEX" torch==2.13.0
COPY .lock/requirements.txt tested.txt
# The tested versions, without the hashes that pip accepts of no local folder.
RUN sed -e 's/ \\$//' -e '/--hash=/d' tested.txt > constraints.txt
COPY LICENSE README.md prefect.yaml pyproject.toml ./
COPY samples samples
COPY warehouse warehouse
COPY tasks tasks
COPY flows flows
COPY dashboards dashboards
# Extras: EXTRAS='[ocr]', '[login]', '[s3]'.
ARG EXTRAS=
RUN pip install --constraint constraints.txt ".$EXTRAS"

FROM python:3.11-slim-bookworm
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --yes --no-install-recommends libgomp1 && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin kalends
COPY --from=build /opt/kalends /opt/kalends
ENV PATH=/opt/kalends/bin:$PATH \
    PYTHONSAFEPATH=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/data \
    XDG_CACHE_HOME=/data/cache \
    KALENDS_WAREHOUSE=/data/warehouse \
    PREFECT_HOME=/data/prefect \
    PREFECT_SERVER_ANALYTICS_ENABLED=false \
    PREFECT_SERVER_ALLOW_EPHEMERAL_MODE=false \
    DO_NOT_TRACK=1 \
    HEALTH_URL=http://127.0.0.1:8501/_stcore/health
VOLUME /data
WORKDIR /data
USER 10001
EXPOSE 8501 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 CMD ["python", "-m", "dashboards.health"]
ENTRYPOINT ["kalends"]
# Beyond this machine it starts only with a password (KALENDS_PASSWORD) or a login.
CMD ["dashboard", "--host", "0.0.0.0"]
