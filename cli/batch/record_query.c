/* record_query.c - see record_query.h. */
#include "record_query.h"

/* Runs of files that still exist; copies of one run count once. */
#define RUNS                                                                    \
    "with run as (select min(f.path) as file, c.*,"                             \
    " case when c.teleports = 0 then 'pro' else 'teleport' end as kind"         \
    " from cs2kz c join file f on f.id = c.file_id"                             \
    " where f.removed = 0 and f.status in ('ok', 'warning') and c.type = 'run'" \
    " and c.time is not null group by coalesce(f.identity, f.path))"

void cli_put_best_runs(cli_strbuf *sql, const char *keys, const char *columns)
{
    cli_printf(sql,
               RUNS ", ranked as (select *, rank() over same as place, count(*) over"
                    " (partition by %s, kind, styles) as runs from run"
                    " window same as (partition by %s, kind, styles order by time))"
                    " select %s"
                    " from ranked where place = 1 and (?1 = '' or player = ?1 or player_id = ?1)"
                    " order by %s, kind, styles, date, file",
               keys, keys, columns, keys);
}

void cli_put_run_history(cli_strbuf *sql, const char *keys, const char *columns)
{
    cli_printf(sql,
               RUNS ", dated as (select *, min(time) over (partition by %s, kind, styles"
                    " order by date, time, file rows between unbounded preceding and 1 preceding)"
                    " as before from run where date is not null)"
                    " select %s"
                    " from dated where (before is null or time < before)"
                    " and (?1 = '' or player = ?1 or player_id = ?1)"
                    " order by %s, kind, styles, date, file",
               keys, columns, keys);
}
