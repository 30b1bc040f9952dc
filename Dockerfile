# One image for every role; docker-compose.yml says which command runs.
FROM python:3.13-slim

RUN useradd --create-home --uid 1000 roadrater
WORKDIR /srv/roadrater
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY app ./app
COPY templates ./templates
COPY static ./static
COPY migrations ./migrations
RUN pip install --no-cache-dir --constraint constraints.txt --editable .
RUN mkdir /data && chown roadrater /data
ENV ROADRATER_DATA_DIR=/data NUMBA_CACHE_DIR=/data/numba
USER roadrater
EXPOSE 8000
CMD ["roadrater", "serve", "--host", "0.0.0.0", "--no-worker"]
