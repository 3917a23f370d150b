import { images } from "../../versions/images";

/**
 * A workload that must stay available: a web server on each of two workers, a service at `nodePort`, and a disruption
 * budget.
 */
export function spreadWeb(name: string, maxUnavailable: number, nodePort: number): object {
    const labels = { app: name };
    const selector = { matchLabels: labels };
    const apart = { labelSelector: selector, topologyKey: "kubernetes.io/hostname" };
    const container = {
        name: "web",
        image: images.busybox,
        command: [
            "sh",
            "-c",
            "mkdir /tmp/web && hostname > /tmp/web/index.html && exec busybox httpd -f -p 8080 -h /tmp/web",
        ],
        readinessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1 },
        // Until no node sends it requests any more.
        lifecycle: { preStop: { sleep: { seconds: 5 } } },
    };
    const spec = {
        terminationGracePeriodSeconds: 8,
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } },
        containers: [container],
    };
    const metadata = { name };
    const deployment = { replicas: 2, selector, template: { metadata: { labels }, spec } };
    const service = { type: "NodePort", selector: labels, ports: [{ port: 80, targetPort: 8080, nodePort }] };
    return {
        apiVersion: "v1",
        kind: "List",
        items: [
            { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: deployment },
            { apiVersion: "v1", kind: "Service", metadata, spec: service },
            { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec: { maxUnavailable, selector } },
        ],
    };
}
