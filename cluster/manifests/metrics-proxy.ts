import type { MetricsProxyPlan } from "../../agents/metrics-proxy/plan";
import type { MetricsCredentials } from "../keys/credentials";
import { controllerLabel } from "../labels";
import { contentHash, type Manifest, priorities } from "../manifest";
import type { Cluster } from "../model";
import { clusterApiServer, localApiServer, ports } from "../network/ports";
import { agentFiles, agentPod, fromProgram } from "./agent-workloads";
import { daemonSet, immutableConfigMap, secret } from "./objects";
import {
    asUser,
    componentUsers,
    credentialsPath,
    everywhere,
    fieldEnv,
    fromSecret,
    type PodSpec,
    unprivilegedId,
} from "./pod";
import { serviceAccountWithRole } from "./rbac";

const name = "metrics-proxy";

const roles = ["controller", "worker"] as const;
type Role = (typeof roles)[number];

/** Serves metrics of each node's components to clients with permission: docs/metrics.md. */
export function metricsProxy(
    cluster: Cluster,
    { metricsProxy: pair }: MetricsCredentials,
    program: string,
): Manifest[] {
    const credentials = { "tls.crt": pair.cert, "tls.key": pair.key };
    // Another certificate replaces the pods.
    const annotations = { "tradewind.dev/credentials": contentHash(credentials) };
    return [
        ...serviceAccountWithRole(name, "system:auth-delegator"),
        secret(name, credentials),
        ...roles.flatMap((role) => {
            const files = agentFiles(name, program, metricsProxyPlan(cluster, role));
            const config = immutableConfigMap(`${name}-${role}`, files);
            const labels = { "k8s-app": name, "tradewind.dev/role": role };
            const spec = podSpec(cluster, role, config.metadata.name);
            return [config, daemonSet(`${name}-${role}`, spec, { labels, annotations, rollingUpdate })];
        }),
    ];
}

// Scrapes may fail for a moment, and a rollout should not take long on many nodes.
const rollingUpdate = { maxUnavailable: 10 };

/** Plan of the agent: controllers have more to serve than workers. */
export function metricsProxyPlan(cluster: Cluster, role: Role): MetricsProxyPlan {
    const local = (port: number) => ({ url: `http://127.0.0.1:${port}/metrics` });
    const onEveryNode = {
        ...(cluster.network.kubeProxyMode !== "none" && { "kube-proxy": local(ports.kubeProxyMetrics) }),
        "node-agent": local(ports.nodeAgentHealthz),
    };
    const onControllers = {
        "kube-controller-manager": {
            port: ports.kubeControllerManager,
            user: componentUsers["kube-controller-manager"],
        },
        "kube-scheduler": { port: ports.kubeScheduler, user: componentUsers["kube-scheduler"] },
        etcd: local(ports.etcdMetrics),
        "etcd-keeper": local(ports.etcdKeeperMetrics),
        checkpointer: local(ports.checkpointerHealthz),
    };
    const isController = role === "controller";
    return {
        // Like other clients on controllers, it must not depend on the load balancer.
        apiServer: isController ? localApiServer : clusterApiServer(cluster),
        port: ports.metricsProxy,
        certificate: { cert: `${credentialsPath}/tls.crt`, key: `${credentialsPath}/tls.key` },
        sources: { ...onEveryNode, ...(isController && onControllers) },
    };
}

function podSpec(cluster: Cluster, role: Role, config: string): PodSpec {
    const placement = {
        hostNetwork: true,
        dnsPolicy: "Default",
        priorityClassName: priorities.node.name,
        serviceAccountName: name,
        enableServiceLinks: false,
        ...(role === "controller" ? { nodeSelector: { [controllerLabel]: "" } } : { affinity: notOnControllers }),
        tolerations: everywhere,
        terminationGracePeriodSeconds: 5,
        securityContext: asUser(unprivilegedId, unprivilegedId),
    };
    const httpGet = { scheme: "HTTPS", port: ports.metricsProxy, path: "/livez" };
    return agentPod(cluster, name, placement, {
        // It runs on every node and needs few resources.
        options: ["--max-semi-space-size=1", "--max-old-space-size=64"],
        env: [fieldEnv("HOST_IP", "status.hostIP")],
        cpu: "10m",
        probes: {
            readinessProbe: { httpGet, periodSeconds: 5 },
            livenessProbe: { httpGet, periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 5 },
        },
        mounted: [fromProgram(name, config), fromSecret("credentials", name, credentialsPath)],
    });
}

const notOnControllers = {
    nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: controllerLabel, operator: "DoesNotExist" }] }],
        },
    },
};
