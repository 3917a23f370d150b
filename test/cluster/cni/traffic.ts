import assert from "node:assert/strict";
import { images } from "../../../versions/images";
import type { TestCluster } from "../cluster";

interface Pod {
    readonly metadata: { readonly name: string; readonly labels: { readonly app: string } };
    readonly spec: { readonly nodeName: string };
    readonly status: { readonly podIP: string };
}

/** What pods noticed: of each kind of connection, how many attempts succeeded and when others failed. */
export interface Noticed {
    readonly succeeded: Readonly<Record<string, number>>;
    readonly failed: Readonly<Record<string, readonly string[]>>;
    /** Longest silence of connections that stay open, in seconds. */
    readonly longestSilence: number;
    /** Connections that were open and ended, or were silent until the end. */
    readonly endedConnections: number;
}

const stream = "#!/bin/sh\\necho Content-Type: text/plain\\necho\\nwhile date +%%s; do sleep 0.2; done\\n";
const serve = `mkdir -p /tmp/web/cgi-bin && echo "$NODE" >/tmp/web/index.html
printf '${stream}' >/tmp/web/cgi-bin/stream && chmod 755 /tmp/web/cgi-bin/stream
exec busybox httpd -f -p 8080 -h /tmp/web`;

function servers(name: string): object {
    const labels = { app: name };
    const container = {
        name: "web",
        image: images.busybox,
        command: ["sh", "-c", serve],
        env: [{ name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
        readinessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1, timeoutSeconds: 5 },
    };
    const spec = { terminationGracePeriodSeconds: 1, tolerations: [{ operator: "Exists" }], containers: [container] };
    return {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    };
}

/** Web servers on every node, to some of which no pod may connect. */
const objects = {
    apiVersion: "v1",
    kind: "List",
    items: [
        servers("web"),
        servers("closed"),
        {
            apiVersion: "networking.k8s.io/v1",
            kind: "NetworkPolicy",
            metadata: { name: "closed" },
            spec: { podSelector: { matchLabels: { app: "closed" } }, policyTypes: ["Ingress"] },
        },
    ],
};

const folder = "/tmp/traffic";

/** Runs in a pod. @param peers - addresses of pods on other nodes */
const probe = (peers: readonly string[], closed: readonly string[], nodes: readonly string[]) => `
rm -rf ${folder} && mkdir ${folder} && cd ${folder}
repeat() {
    file=$1 && shift
    ( while [ ! -e stop ]; do
        if "$@" </dev/null >/dev/null 2>&1; then echo ok; else date +%T; fi >>$file
        sleep 0.3
    done ) &
}
for peer in ${peers.join(" ")}; do
    repeat pods timeout 4 busybox wget -q -O - http://$peer:8080/
    ( busybox wget -q -O - http://$peer:8080/cgi-bin/stream | while read -r sent; do echo "$sent $(date +%s)"; done >open-$peer
      [ -e stop ] || echo ended >>open-$peer ) &
done
for address in ${closed.join(" ")}; do repeat closed timeout 2 busybox wget -q -O - http://$address:8080/; done
for node in ${nodes.join(" ")}; do repeat nodes nc -w 4 $node 10250; done
repeat api nc -w 4 10.3.0.1 443
`;

/** Traffic of pods between all nodes while something changes. */
export class Traffic {
    #pods: readonly Pod[] = [];

    constructor(private readonly cluster: TestCluster) {}

    async prepare(): Promise<void> {
        await this.cluster.apply(objects);
        for (const name of ["web", "closed"])
            await this.cluster.kubectl("rollout", "status", `daemonset/${name}`, "--timeout=240s");
    }

    /** Starts it, and waits until each kind has succeeded. */
    async start(): Promise<void> {
        const { items } = await this.cluster.get<{ items: Pod[] }>("pods", "-l", "app in (web, closed)");
        const nodes = await this.cluster.kubectl(
            ...["get", "nodes", "-o", 'jsonpath={.items[*].status.addresses[?(@.type=="InternalIP")].address}'],
        );
        const of = (app: string) => items.filter(({ metadata }) => metadata.labels.app === app);
        this.#pods = of("web");
        const addresses = (pods: readonly Pod[]) => pods.map(({ status }) => status.podIP);
        for (const pod of this.#pods) {
            const others = this.#pods.filter((each) => each !== pod);
            const script = probe(addresses(others), addresses(of("closed")), nodes.split(" "));
            await this.#run(pod, `(setsid sh -c '${script.replaceAll("'", "'\\''")}' >/dev/null 2>&1 </dev/null &)`);
        }
    }

    /** Ends it. */
    async stop(): Promise<Noticed> {
        const texts = await Promise.all(
            this.#pods.map(async (pod) => {
                await this.#run(pod, `date +%s >${folder}/stop; sleep 5`);
                return this.#run(pod, `cd ${folder}; for file in *; do sed "s/^/$file /" $file; done`);
            }),
        );
        const lines = texts.flatMap((text) => text.trim().split("\n")).map((line) => line.split(" "));
        const of = (kind: string) => lines.filter(([file]) => file === kind).map(([, word]) => word!);
        const kinds = ["pods", "closed", "nodes", "api"];
        const open = lines.filter(([file]) => file!.startsWith("open-"));
        const received = open.filter(([, sent]) => sent !== "ended").map(([, sent, at]) => [Number(sent), Number(at)]);
        assert(received.length > 0, "no connection stayed open");
        // One that is silent until the end has no late line.
        const end = Math.min(...of("stop").map(Number));
        const silentUntilEnd = texts.flatMap((text) =>
            [...new Set([...text.matchAll(/^(open-\S+) /gm)].map(([, file]) => file!))].filter(
                (file) =>
                    ![...text.matchAll(new RegExp(`^${file} \\d+ (\\d+)$`, "gm"))].some(([, at]) => Number(at) >= end),
            ),
        );
        return {
            succeeded: Object.fromEntries(kinds.map((kind) => [kind, of(kind).filter((w) => w === "ok").length])),
            failed: Object.fromEntries(kinds.map((kind) => [kind, of(kind).filter((w) => w !== "ok")])),
            longestSilence: Math.max(...received.map(([sent, at]) => at! - sent!)),
            endedConnections: open.filter(([, sent]) => sent === "ended").length + silentUntilEnd.length,
        };
    }

    #run({ metadata }: Pod, command: string): Promise<string> {
        return this.cluster.kubectl("exec", metadata.name, "--", "sh", "-c", command);
    }
}
