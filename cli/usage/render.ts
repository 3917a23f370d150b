import { type Paint, type Row, table } from "../status/render/table";
import { awsPriceRegion } from "../verify-cloud/clouds/aws";
import type { Account, Share } from "./account";
import type { Amount } from "./quantity";

const heading = ["CPU REQUESTED", "CPU USED", "MEMORY REQUESTED", "MEMORY USED", "A MONTH"];

/** Two tables, and what could not be said. */
export function renderUsage(account: Account, paint: Paint): string {
    const { pools, namespaces, free, unpriced, elsewhere } = account;
    const rest: Row[] = free === undefined ? [] : [["(not requested)", "", "", "", "", "", dollars(free)]];
    const notes = [
        ...metricsNote(account),
        ...(unpriced.length > 0 ? [`no price is known for ${unpriced.join(", ")}: use --price TYPE=DOLLARS`] : []),
        ...elsewhere.map(
            ({ type, region }) =>
                `the price of ${type} is that of ${awsPriceRegion}, not of ${region}: use --price TYPE=DOLLARS`,
        ),
    ];
    return [
        ...table(["POOL", "NODES", ...heading], pools.map(rowOf), paint),
        "",
        ...table(["NAMESPACE", "PODS", ...heading], [...namespaces.map(rowOf), ...rest], paint),
        ...(notes.length > 0 ? ["", ...notes] : []),
        "",
    ].join("\n");
}

function metricsNote({ metrics, metricsProblem }: Account): string[] {
    const unknown = "CPU and memory in use are unknown:";
    if (metricsProblem !== undefined) return [`${unknown} metrics-server answers ${metricsProblem}`];
    if (metrics === undefined) return [`${unknown} the cluster has no metrics-server (metricsServer: true)`];
    const { pods, missing } = metrics;
    if (missing === 0) return [];
    if (missing === pods) return [`${unknown} metrics-server has no metrics of pods yet`];
    const verbs = missing === 1 ? "has no metrics and counts" : "have no metrics and count";
    return [`${missing} of ${pods} running pods ${verbs} as using nothing`];
}

function rowOf({ name, count, requested, used, allocatable, price }: Share): Row {
    const of = (kind: keyof Amount, show: (value: number) => string) => {
        const whole = allocatable?.[kind];
        const part = whole ? ` of ${show(whole)} (${Math.round((100 * requested[kind]) / whole)} %)` : "";
        return [`${show(requested[kind])}${part}`, used ? show(used[kind]) : "-"];
    };
    return [
        name,
        `${count}`,
        ...of("cpu", cores),
        ...of("memory", mebibytes),
        price === undefined ? "-" : dollars(price),
    ];
}

function cores(value: number): string {
    return `${Math.round(value * 100) / 100}`;
}

function mebibytes(value: number): string {
    return `${Math.round(value / 2 ** 20)} MiB`;
}

function dollars(value: number): string {
    return `$${value.toFixed(2)}`;
}
