import { requireDuration } from "./durations";
import type { PrometheusOptions } from "./options";
import { invalid, isDnsSubdomain, requires } from "./validate";

/** Prometheus in the cluster. */
export interface Prometheus {
    /** Base URLs. */
    readonly alertmanagers: readonly string[];
    /** Seconds. */
    readonly retention: number;
    /** GiB. */
    readonly storageSize: number;
    /** @default - on the disk of the pod's node */
    readonly storageClass?: string;
    /** MiB. */
    readonly memory: number;
}

/** Throws `prometheus.<key> must be <legal> (got <value>)`. @param metrics - the option of that name */
export function resolvePrometheus(options: PrometheusOptions, metrics = true): Prometheus {
    if (!metrics) throw requires("prometheus", "metrics");
    const { alertmanagers = [], retention = "15d", storageSize = 10, storageClass, memory = 1024 } = options;
    if (storageClass !== undefined && !isDnsSubdomain(storageClass)) {
        throw invalid("prometheus.storageClass", "the name of a storage class", storageClass);
    }
    return {
        alertmanagers: alertmanagers.map((url, index) => requireUrl(`prometheus.alertmanagers[${index}]`, url)),
        retention: requireDuration("prometheus.retention", retention, "1h", "3650d"),
        storageSize: requireSize("prometheus.storageSize", storageSize, 1, 10_000),
        ...(storageClass !== undefined && { storageClass }),
        memory: requireSize("prometheus.memory", memory, 256, 262_144),
    };
}

function requireSize(option: string, value: number, least: number, most: number): number {
    if (!Number.isInteger(value) || value < least || value > most) {
        throw invalid(option, `a whole number from ${least} to ${most}`, value);
    }
    return value;
}

/** Prometheus adds `/api/v2/alerts`. */
function requireUrl(option: string, text: string): string {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
    if (!isPlain || /\/api\//.test(url.pathname)) {
        const legal = "the base URL of an Alertmanager, such as http://alertmanager.monitoring.svc:9093";
        throw invalid(option, legal, text);
    }
    return text;
}
