import type Prom from "prom-client";

// Only these parts: all of prom-client would add 150 KB to each program instead of 24.
const Counter: typeof Prom.Counter = require("prom-client/lib/counter");
const Gauge: typeof Prom.Gauge = require("prom-client/lib/gauge");
const Registry: typeof Prom.Registry = require("prom-client/lib/registry");

/** A metric with its current values. */
export interface Metric {
    readonly name: string;
    readonly help: string;
    /** A counter's name ends in `_total`. @default "gauge" */
    readonly type?: "gauge" | "counter";
    readonly samples: readonly Sample[];
}

export interface Sample {
    /** The same names in each sample of a metric. @default none */
    readonly labels?: Readonly<Record<string, string>>;
    /** `false` is 0, `true` is 1. Omitted if undefined. */
    readonly value: number | boolean | undefined;
}

/** Media type of {@link metricsText}. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** Metrics in Prometheus' text format. */
export async function metricsText(metrics: readonly Metric[]): Promise<string> {
    const registry = new Registry();
    for (const { name, help, type, samples } of metrics) {
        const known = samples.filter(({ value }) => value !== undefined);
        const labelNames = Object.keys(known[0]?.labels ?? {});
        const options = { name, help, labelNames, registers: [registry] };
        // Without labels, prom-client reports 0 for a metric that has no value.
        if (known.length === 0) continue;
        const metric = type === "counter" ? new Counter(options) : new Gauge(options);
        for (const { labels = {}, value } of known) metric.inc(labels, Number(value));
    }
    return registry.metrics();
}

/** Seconds since 1970 of an RFC 3339 time. */
export function timestamp(time: string | undefined): number | undefined {
    return time === undefined ? undefined : Date.parse(time) / 1000;
}
