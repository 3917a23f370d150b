import assert from "node:assert/strict";
import { isIPv6 } from "node:net";
import { eventually, type TestCluster } from "../cluster";
import { webServers } from "../web-servers";

export interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName: string };
    readonly status: { readonly podIPs: readonly { readonly ip: string }[] };
}

interface Node {
    readonly status: { readonly addresses: readonly { readonly type: string; readonly address: string }[] };
}

export const nodePort = 30080;
const bigFileBytes = 4 << 20;

const serve = `mkdir /tmp/web && echo "$NODE" >/tmp/web/index.html &&
    dd if=/dev/zero of=/tmp/web/big bs=1024 count=${bigFileBytes / 1024} && exec busybox httpd -f -p 8080 -h /tmp/web`;

/** A web server on each of two nodes that returns its node's name, a dual-stack service, and one for IPv6 only. */
const web = {
    apiVersion: "v1",
    kind: "List",
    items: [
        webServers(serve, { tolerations: [{ operator: "Exists" }] }),
        service("web", { type: "NodePort", ipFamilyPolicy: "RequireDualStack" }, { nodePort }),
        service("web6", { ipFamilies: ["IPv6"] }),
    ],
};

function service(name: string, spec: object, port: object = {}): object {
    const ports = [{ port: 80, targetPort: 8080, ...port }];
    return {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name },
        spec: { selector: { app: "web" }, ...spec, ports },
    };
}

/** Web servers in a dual-stack cluster of two nodes, and their clients. */
export class DualStackWeb {
    pods!: readonly [Pod, Pod];

    constructor(
        private readonly cluster: TestCluster,
        /** The machines, by name. */
        private readonly machines: () => readonly [string, string],
    ) {}

    async install(): Promise<void> {
        await this.cluster.apply(web);
        await this.findPods();
    }

    async findPods(): Promise<void> {
        await this.cluster.kubectl("rollout", "status", "daemonset/web", "--timeout=120s");
        const { items } = await this.cluster.get<{ items: Pod[] }>("pods", "-l", "app=web");
        assert.equal(items.length, 2);
        this.pods = items as unknown as [Pod, Pod];
    }

    inPod(pod: Pod, ...command: string[]): Promise<string> {
        return this.cluster.kubectl("exec", pod.metadata.name, "--", "busybox", ...command);
    }

    async fetchIn(pod: Pod, url: string): Promise<string> {
        return (await this.inPod(pod, ...wget, url)).trim();
    }

    async curlOn(machine: string, url: string): Promise<string> {
        return (await this.cluster.exec(machine, `curl -sSf --max-time 5 '${url}'`)).trim();
    }

    /** IPv6 addresses of a node, as reported in the API. */
    async addresses6(machine: string): Promise<string[]> {
        return (await this.cluster.get<Node & { metadata: object }>("node", machine)).status.addresses
            .filter(({ type, address }) => type === "InternalIP" && isIPv6(address))
            .map(({ address }) => address);
    }

    async clusterIps(name: string): Promise<string[]> {
        return (await this.cluster.get<{ spec: { clusterIPs: string[] } }>("service", name)).spec.clusterIPs;
    }

    isOfWeb(answer: string): void {
        assert(
            this.pods.some(({ spec }) => spec.nodeName === answer),
            answer,
        );
    }

    /** Tests from pod to pod, and of Services. */
    reaches(): void {
        it("delivers an IPv6 packet from a pod to a pod on another node, both ways", async () => {
            const { pods } = this;
            for (const [from, to] of [pods, [pods[1], pods[0]]] as const) {
                const url = `http://[${ip6(to)}]:8080/`;
                const answer = await eventually(url, () => this.fetchIn(from, url), 60);
                assert.equal(answer, to.spec.nodeName);
            }
        });

        it("delivers payloads larger than a packet completely", async () => {
            const [from, to] = this.pods;
            const fetch = `busybox ${wget.join(" ")} 'http://[${ip6(to)}]:8080/big' | wc -c`;
            assert.equal((await this.inPod(from, "sh", "-c", fetch)).trim(), String(bigFileBytes));
        });

        it("answers at a service's IPv6 address, in pods and on machines", async () => {
            const [, address] = await this.clusterIps("web");
            assert.match(address!, /^fd00:10:3::/);
            const url = `http://[${address}]/`;
            for (const pod of this.pods) this.isOfWeb(await eventually(url, () => this.fetchIn(pod, url), 30));
            for (const machine of this.machines()) {
                this.isOfWeb(await eventually(url, () => this.curlOn(machine, url), 30));
            }
        });
    }

    /** Tests NetworkPolicies. */
    isRestricted(): void {
        it("restricts pods by NetworkPolicies, by their addresses of each family", async () => {
            const { cluster, pods } = this;
            const restrict = (...from: object[]) =>
                cluster.apply({
                    apiVersion: "networking.k8s.io/v1",
                    kind: "NetworkPolicy",
                    metadata: { name: "web", namespace: "default" },
                    spec: {
                        podSelector: {},
                        policyTypes: ["Ingress"],
                        ingress: from.map((peer) => ({ from: [peer] })),
                    },
                });
            const block = (index: 0 | 1) => {
                const { ip } = pods[0].status.podIPs[index]!;
                return { ipBlock: { cidr: `${ip}/${isIPv6(ip) ? 128 : 32}` } };
            };
            const web = { podSelector: { matchLabels: { app: "web" } } };

            await restrict();
            await this.#reaches(false, false);
            await restrict(web);
            await this.#reaches(true, true);
            await restrict(block(1));
            await this.#reaches(false, true);
            await restrict(block(0));
            await this.#reaches(true, false);
            await restrict(web);
            await this.#reaches(true, true);
            // New pods have other addresses.
            await cluster.kubectl("delete", "pods", "-l", "app=web");
            await this.findPods();
            await this.#reaches(true, true);
            await cluster.kubectl("delete", "networkpolicy", "web");
        });
    }

    /** Waits until the first pod reaches the second one, or not, at its IPv4 and its IPv6 address. */
    async #reaches(...expected: [boolean, boolean]): Promise<void> {
        await eventually(
            `the web server to respond: ${expected}`,
            async () => {
                const [from, to] = this.pods;
                const urls = [to.status.podIPs[0]!.ip, `[${ip6(to)}]`].map((host) => `http://${host}:8080/`);
                const asked = urls.map((url) =>
                    this.fetchIn(from, url).then(
                        () => true,
                        () => false,
                    ),
                );
                assert.deepEqual(await Promise.all(asked), expected);
            },
            60,
        );
    }
}

export const ip6 = ({ status }: Pod): string => status.podIPs[1]!.ip;

// Not with wget's own -T: it makes Debian's static busybox crash.
const wget = ["timeout", "10", "busybox", "wget", "-q", "-O", "-"];
