import { images } from "../../versions/images";

/**
 * A web server named `web` on each node that accepts it, labelled `app: web`. @param command - serves `/tmp/web` on
 * port 8080, and has `$NODE`
 */
export function webServers(command: string, spec: object = {}): object {
    const container = {
        name: "web",
        image: images.busybox,
        command: ["sh", "-c", command],
        env: [{ name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
        readinessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1 },
    };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "web" },
        spec: {
            selector: { matchLabels: { app: "web" } },
            template: {
                metadata: { labels: { app: "web" } },
                spec: { terminationGracePeriodSeconds: 1, ...spec, containers: [container] },
            },
        },
    };
}
