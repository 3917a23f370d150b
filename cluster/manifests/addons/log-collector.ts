import { controllerLabel } from "../../labels";
import { type Logs, syslogServer } from "../../logs";
import { contentHash, type Manifest, mapValues, without } from "../../manifest";
import type { Cluster } from "../../model";
import type { LogHeaders } from "../../options";
import { paths } from "../../paths";
import { auditLogDirectory } from "../control-plane/audit-log";
import { daemonSet, inPodNetwork, json, secret } from "../objects";
import { asRoot, confined, everywhere, fieldEnv, fromHost, fromSecret, lastWords, onHost, type PodSpec } from "../pod";
import { proxyEnv } from "../proxy-env";

const name = "log-collector";
const configPath = `/etc/${name}`;
const state = paths.logCollectorState;

/** What waits on a controller's disk while the server does not answer; then reading pauses. Unit: bytes. */
const queueBytes = 128 * 2 ** 20;

/** Largest request, of 1 MiB of logs: servers limit them, Loki to 4 MB. */
const requestBytes = 2 ** 20;

/** Reads on only once the queue has what was read, so that a crash loses nothing. */
const syncs = "--feature-gates=stanza.synchronousLogEmitter";

/** Enterprise number of examples (RFC 5612), which names of structured data need. */
const structuredData = "kubernetes@32473";

/**
 * Sends the logs of kube-system's pods on controllers, and the audit log: docs/logs.md.
 *
 * In the pod network, so that the server may be a Service.
 */
export function logCollector(cluster: Cluster, headers: LogHeaders = {}): Manifest[] {
    // A secret because of the headers.
    const config = { "config.json": json(logCollectorConfig(cluster, headers)) };
    const annotations = { "tradewind.dev/credentials": contentHash(config) };
    return [secret(name, config), inPodNetwork(cluster, daemonSet(name, podSpec(cluster), { annotations }))];
}

function podSpec(cluster: Cluster): PodSpec {
    const mounted = [
        fromSecret("config", name, configPath),
        fromHost("pod-logs", paths.podLogs, { readOnly: true }),
        ...(cluster.logs?.audit ? [fromHost("audit-log", auditLogDirectory, { readOnly: true })] : []),
        fromHost("state", state, {}, "DirectoryOrCreate"),
    ];
    return {
        nodeSelector: { [controllerLabel]: "" },
        ...without(onHost("control"), "hostNetwork", "dnsPolicy"),
        tolerations: everywhere,
        securityContext: asRoot,
        containers: [
            {
                name,
                image: cluster.images.logCollector,
                ...lastWords,
                command: ["/otelcol-contrib", `--config=${configPath}/config.json`, syncs],
                env: [
                    fieldEnv("NODE_NAME", "spec.nodeName"),
                    { name: "GOMEMLIMIT", value: "160MiB" },
                    ...proxyEnv(cluster),
                ],
                resources: { requests: { cpu: "20m", memory: "64Mi" }, limits: { memory: "256Mi" } },
                // The audit log belongs to kube-apiserver's user, who alone may read it.
                securityContext: { ...confined, capabilities: { drop: ["ALL"], add: ["DAC_READ_SEARCH"] } },
                volumeMounts: mounted.map(({ mount }) => mount),
            },
        ],
        volumes: mounted.map(({ volume }) => volume),
    };
}

/** Configuration of the OpenTelemetry Collector. `${env:…}` are variables of its container. */
export function logCollectorConfig({ name: cluster, logs }: Cluster, headers: LogHeaders = {}) {
    const receivers = {
        "filelog/pods": podLogs(cluster, logs!),
        ...(logs!.audit && { "filelog/audit": auditLog(cluster, logs!) }),
    };
    const exporters = logs!.protocol === "syslog" ? { syslog: toSyslog(logs!) } : { otlp_http: toOtlp(logs!, headers) };
    return {
        extensions: {
            // Offsets in files, and the queue. Written to disk at once, so that a power cut does not damage them.
            file_storage: {
                directory: state,
                fsync: true,
                recreate: true,
                compaction: { directory: state, on_start: true, on_rebound: true },
            },
        },
        receivers,
        exporters,
        service: {
            extensions: ["file_storage"],
            pipelines: { logs: { receivers: Object.keys(receivers), exporters: Object.keys(exporters) } },
            telemetry: { metrics: { level: "none" } },
        },
    };
}

function podLogs(cluster: string, { protocol }: Logs) {
    return {
        ...fromFiles(cluster),
        include: [`${paths.podLogs}/kube-system_*/*/*.log`, `${paths.podLogs}/kube-system_*/*/*.log.20*`],
        // Its own, each of which would make another one.
        exclude: [`${paths.podLogs}/kube-system_${name}-*/*/*`, `${paths.podLogs}/kube-system_*/*/*.gz`],
        include_file_path: true,
        operators: [
            { type: "container" },
            { type: "remove", field: 'attributes["log.file.path"]' },
            { type: "copy", from: 'resource["k8s.container.name"]', to: 'resource["service.name"]' },
            ...(protocol === "syslog" ? syslogFields : []),
        ],
    };
}

function auditLog(cluster: string, { protocol }: Logs) {
    const files = fromFiles(cluster);
    return {
        ...files,
        include: [`${auditLogDirectory}/*.log`],
        include_file_name: true,
        resource: {
            ...files.resource,
            "service.name": "audit-log",
            "k8s.namespace.name": "kube-system",
            "k8s.container.name": "audit-log",
        },
        operators: [
            // Rotated files have a time after the pod's name.
            {
                type: "regex_parser",
                parse_from: 'attributes["log.file.name"]',
                regex: String.raw`^(?P<pod>.+?)(-\d{4}-\d\d-\d\dT[\d.-]+)?\.log$`,
            },
            { type: "move", from: "attributes.pod", to: 'resource["k8s.pod.name"]' },
            { type: "remove", field: 'attributes["log.file.name"]' },
            // Quotes in other values are escaped.
            {
                type: "regex_parser",
                regex: '"stageTimestamp":"(?P<time>[^"]+)"',
                timestamp: {
                    parse_from: "attributes.time",
                    layout_type: "gotime",
                    layout: "2006-01-02T15:04:05.000000Z",
                },
            },
            { type: "remove", field: "attributes.time" },
            ...(protocol === "syslog" ? syslogFields : []),
        ],
    };
}

function fromFiles(cluster: string) {
    return {
        start_at: "beginning",
        preserve_leading_whitespaces: true,
        preserve_trailing_whitespaces: true,
        include_file_name: false,
        poll_interval: "2s",
        storage: "file_storage",
        retry_on_failure: { enabled: true, max_elapsed_time: "0s" },
        resource: { "k8s.cluster.name": cluster, "k8s.node.name": "${env:NODE_NAME}" },
    };
}

/** What a syslog message consists of. */
const syslogFields = [
    { type: "move", id: "message", from: "body", to: "attributes.message" },
    ...Object.entries({
        hostname: "k8s.node.name",
        appname: "k8s.container.name",
        proc_id: "k8s.pod.name",
    }).map(([field, label]) => ({ type: "copy", id: field, from: `resource["${label}"]`, to: `attributes.${field}` })),
    ...["k8s.cluster.name", "k8s.namespace.name"].map((label) => ({
        type: "copy",
        id: label,
        from: `resource["${label}"]`,
        to: `attributes.structured_data["${structuredData}"]["${label}"]`,
    })),
];

function toSyslog({ url, ca }: Logs) {
    const { host, port } = syslogServer(url);
    return {
        ...queued,
        endpoint: host,
        port,
        network: "tcp",
        protocol: "rfc5424",
        enable_octet_counting: true,
        tls: url.startsWith("tls:") ? trusting(ca) : { insecure: true },
    };
}

function toOtlp({ url, ca }: Logs, headers: LogHeaders) {
    return {
        ...queued,
        endpoint: literal(url.replace(/\/$/, "")),
        tls: url.startsWith("https:") ? trusting(ca) : { insecure: true },
        headers: mapValues(headers, literal),
    };
}

/** The collector replaces `${…}`. */
function literal(text: string): string {
    return text.replaceAll("$", "$$$$");
}

function trusting(ca: string | undefined) {
    return ca === undefined ? {} : { ca_pem: ca };
}

/** In order, kept on disk until the server has accepted it. If the queue is full, files are read later. */
const queued = {
    timeout: "30s",
    retry_on_failure: { enabled: true, max_elapsed_time: "0s" },
    sending_queue: {
        enabled: true,
        storage: "file_storage",
        num_consumers: 1,
        sizer: "bytes",
        queue_size: queueBytes,
        block_on_overflow: true,
        batch: { flush_timeout: "1s", min_size: requestBytes / 2, max_size: requestBytes },
    },
};
