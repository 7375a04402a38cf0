# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads the tables of `autoprof convert --to=csv` with DuckDB, writes them as
Parquet, and runs three queries on them:

    pip install duckdb
    autoprof convert --to=csv rank*.pftrace tables/
    python3 to_parquet.py tables/ parquet/

Spark loads the same folders with spark.read.option("header", True).csv("tables/table=waits").
"""
import pathlib
import sys

import duckdb


def load(tables):
    """Creates a view for each table; `rank` is a column, from the folder's name."""
    for folder in sorted(pathlib.Path(tables).glob("table=*")):
        name = folder.name.removeprefix("table=")
        # Detect types from all rows: a column may be empty for a long time.
        duckdb.sql(f"CREATE VIEW {name} AS SELECT * EXCLUDE \"table\" FROM read_csv('{folder}/*/*.csv', hive_partitioning=true, "
                   f"hive_types_autocast=true, sample_size=-1, union_by_name=true)")
        yield name


def main():
    tables, parquet = sys.argv[1:]
    for name in list(load(tables)):
        target = pathlib.Path(parquet, f"{name}.parquet")
        target.parent.mkdir(parents=True, exist_ok=True)
        duckdb.sql(f"COPY {name} TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
        (rows,), = duckdb.sql(f"SELECT count(*) FROM read_parquet('{target}')").fetchall()
        print(f"{target}: {rows} rows")

    print("\nSites by exposed stall, over all ranks:")
    duckdb.sql("""
        SELECT file, line, call, count(DISTINCT rank) AS ranks, sum(waits)::BIGINT AS waits,
               sum(wait_ns) / 1e6 AS wait_ms, sum(exposed_ns) / 1e6 AS exposed_ms
        FROM sites WHERE waits > 0 GROUP BY ALL ORDER BY exposed_ms DESC, file, line LIMIT 5""").show()
    print("The slowest rank, and in how many steps it is:")
    duckdb.sql("""
        SELECT rank, count(*) AS slowest_in FROM (
            SELECT arg_max(rank, time_ns) AS rank FROM steps WHERE counts GROUP BY step)
        GROUP BY rank ORDER BY slowest_in DESC, rank LIMIT 5""").show()
    print("Steps that waited longest:")
    duckdb.sql("""
        SELECT rank, step, count(*) AS waits, sum(wait_ns) / 1e3 AS wait_us, sum(exposed_ns) / 1e3 AS exposed_us
        FROM waits JOIN steps USING (rank, step) WHERE counts GROUP BY ALL ORDER BY wait_us DESC, rank, step LIMIT 5""").show()


main()
