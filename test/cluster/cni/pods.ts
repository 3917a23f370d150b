import assert from "node:assert/strict";
import { eventually, type TestCluster } from "../cluster";
import { webServers } from "../web-servers";

export interface WebPod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName: string };
    readonly status: { readonly podIP: string };
}

const serve = 'mkdir -p /tmp/web && echo "$NODE" >/tmp/web/index.html && exec busybox httpd -f -p 8080 -h /tmp/web';

/** A web server on each node that returns its node's name, and their Service `web`. */
const web = {
    apiVersion: "v1",
    kind: "List",
    items: [
        webServers(serve, { tolerations: [{ operator: "Exists" }] }),
        {
            apiVersion: "v1",
            kind: "Service",
            metadata: { name: "web" },
            spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
        },
    ],
};

/** Pods with web servers on both nodes of a cluster, which fetch from each other. */
export class WebPods {
    pods: readonly WebPod[] = [];

    constructor(private readonly cluster: TestCluster) {}

    async start(): Promise<void> {
        await this.cluster.apply(web);
        await this.find();
    }

    async find(): Promise<void> {
        await this.cluster.kubectl("rollout", "status", "daemonset/web", "--timeout=240s");
        const { items } = await this.cluster.get<{ items: WebPod[] }>("pods", "-l", "app=web");
        assert.equal(items.length, 2);
        this.pods = items;
    }

    run({ metadata }: WebPod, ...command: string[]): Promise<string> {
        return this.cluster.kubectl("exec", metadata.name, "--", "busybox", ...command);
    }

    /** What a pod gets from a URL. Not with wget's own -T: it makes Debian's static busybox crash. */
    async fetch(pod: WebPod, url: string): Promise<string> {
        return (await this.run(pod, "timeout", "10", "busybox", "wget", "-q", "-O", "-", url)).trim();
    }

    /** Waits until each pod has reached the other one by its address. */
    async reachEachOther(): Promise<void> {
        const [a, b] = this.pods as [WebPod, WebPod];
        for (const [from, to] of [
            [a, b],
            [b, a],
        ] as const) {
            const url = `http://${to.status.podIP}:8080/`;
            const answer = await eventually(`${from.spec.nodeName} to reach ${url}`, () => this.fetch(from, url), 120);
            assert.equal(answer, to.spec.nodeName);
        }
    }

    /** Waits until the Service has answered each pod by its name. */
    async reachService(): Promise<void> {
        const names = this.pods.map(({ spec }) => spec.nodeName);
        for (const pod of this.pods) {
            const url = "http://web.default.svc.cluster.local/";
            const answer = await eventually(`${pod.spec.nodeName} to reach ${url}`, () => this.fetch(pod, url), 120);
            assert(names.includes(answer), answer);
        }
    }
}
