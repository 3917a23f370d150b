import { controllerLabel } from "../../../labels";
import type { Manifest } from "../../../manifest";
import type { Cluster } from "../../../model";
import type { Prometheus } from "../../../prometheus";
import { deployment, immutableConfigMap, inPodNetwork, json, systemNamespace } from "../../objects";
import { asUser, confined, lastWords, type PodSpec, unprivilegedId, type Volume } from "../../pod";
import { proxyEnv } from "../../proxy-env";
import { namespaceRole, serviceAccount } from "../../rbac";
import { alertRules } from "./alerts";
import { dashboardPage } from "./page";
import { scrapeJobs } from "./scrape";

/** Name of its Deployment and of its claim. */
export const prometheusName = "prometheus";

const name = prometheusName;
const labels = { "k8s-app": name };
const folder = "/etc/prometheus";
const data = "/prometheus";

/** Prometheus with alerts and a dashboard: docs/monitoring.md. */
export function prometheus(cluster: Cluster): Manifest[] {
    const settings = immutableConfigMap(name, {
        "prometheus.json": json(prometheusConfig(cluster)),
        "rules.json": json(alertRules()),
        "index.html": dashboardPage(cluster.name),
    });
    return [
        ...serviceAccount(name, accountRules),
        ...targetNamespaces.flatMap((namespace) => namespaceRole(name, targetRules, namespace)),
        settings,
        ...claim(cluster.prometheus!),
        // Only one may write its files. It has no probes, but ends soon if its configuration is invalid.
        inPodNetwork(cluster, deployment(name, podSpec(cluster, settings.metadata.name), { minReadySeconds: 10 })),
    ];
}

/** May find targets and read their metrics, nothing else. */
export const accountRules = [
    // Of kube-apiserver, and of everything behind the metrics proxy.
    { nonResourceURLs: ["/metrics"], verbs: ["get"] },
    // Of kubelets.
    { apiGroups: [""], resources: ["nodes/metrics"], verbs: ["get"] },
    { apiGroups: [""], resources: ["nodes"], verbs: ["get", "list", "watch"] },
];

/** Where it finds the other targets, those of kube-apiserver and of CoreDNS and etcd-keeper. */
export const targetNamespaces = ["default", "kube-system"];

export const targetRules = [
    { apiGroups: [""], resources: ["pods", "services"], verbs: ["get", "list", "watch"] },
    { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["get", "list", "watch"] },
];

/** How often it scrapes, and evaluates alerts. */
export const interval = "30s";

/** Configuration of Prometheus, which reads JSON as YAML. */
export function prometheusConfig({ name: cluster, certificates, network, prometheus: options }: Cluster) {
    const { alertmanagers, retention, storageSize } = options!;
    return {
        global: { scrape_interval: interval, evaluation_interval: interval, external_labels: { cluster } },
        rule_files: [`${folder}/rules.json`],
        // The rest is for the write-ahead log.
        storage: { tsdb: { retention: { time: `${retention}s`, size: `${Math.floor(storageSize * 768)}MB` } } },
        alerting: { alertmanagers: alertmanagers.map(alertmanager) },
        scrape_configs: scrapeJobs({
            verified: certificates.kubeletServing !== "own",
            kubeProxy: network.kubeProxyMode !== "none",
        }),
    };
}

function alertmanager(text: string) {
    const { protocol, host, port, pathname } = new URL(text);
    const isPrivate = protocol === "https:";
    return {
        scheme: isPrivate ? "https" : "http",
        path_prefix: pathname.replace(/\/$/, ""),
        proxy_from_environment: true,
        static_configs: [{ targets: [port ? host : `${host}:${isPrivate ? 443 : 80}`] }],
    };
}

/** Only with a storage class. */
function claim({ storageClass, storageSize }: Prometheus): Manifest[] {
    if (storageClass === undefined) return [];
    return [
        {
            apiVersion: "v1",
            kind: "PersistentVolumeClaim",
            // It may be bound to a volume once the pod is placed, which waits for it.
            metadata: { name, namespace: systemNamespace, labels, annotations: { "pulumi.com/skipAwait": "true" } },
            spec: {
                accessModes: ["ReadWriteOnce"],
                storageClassName: storageClass,
                resources: { requests: { storage: `${storageSize}Gi` } },
            },
        },
    ];
}

function podSpec(cluster: Cluster, configMap: string): PodSpec {
    const { storageClass, storageSize, memory } = cluster.prometheus!;
    const items = ["prometheus.json", "rules.json"].map((key) => ({ key, path: key }));
    const volumes: Volume[] = [
        {
            name: "config",
            configMap: { name: configMap, items: [...items, { key: "index.html", path: "consoles/index.html" }] },
        },
        storageClass === undefined
            ? { name: "data", emptyDir: { sizeLimit: `${storageSize}Gi` } }
            : { name: "data", persistentVolumeClaim: { claimName: name } },
    ];
    return {
        serviceAccountName: name,
        enableServiceLinks: false,
        // On a controller only if there is no worker.
        tolerations: [{ key: controllerLabel, operator: "Exists", effect: "NoSchedule" }],
        affinity: {
            nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: worker }] },
        },
        securityContext: asUser(unprivilegedId, unprivilegedId),
        containers: [
            {
                name,
                image: cluster.images.prometheus,
                ...lastWords,
                command: [
                    name,
                    `--config.file=${folder}/prometheus.json`,
                    `--storage.tsdb.path=${data}`,
                    // It asks for no credentials: only clients that may forward ports to the pod reach it.
                    "--web.listen-address=127.0.0.1:9090",
                    `--web.console.templates=${folder}/consoles`,
                    `--web.console.libraries=${folder}/consoles`,
                ],
                ...(cluster.proxy && { env: proxyEnv(cluster) }),
                resources: { requests: { cpu: "50m", memory: "256Mi" }, limits: { memory: `${memory}Mi` } },
                securityContext: confined,
                volumeMounts: [
                    { name: "config", mountPath: folder, readOnly: true },
                    { name: "data", mountPath: data },
                ],
            },
        ],
        volumes,
    };
}

const worker = { matchExpressions: [{ key: controllerLabel, operator: "DoesNotExist" }] };
