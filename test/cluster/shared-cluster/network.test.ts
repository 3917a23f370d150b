import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ask } from "../../../clients/http";
import { itLong } from "../../takes-long";
import { eventually, kubectlPath } from "../cluster";
import { shared, sharedCluster } from "../shared";
import { webServers } from "../web-servers";

interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName: string };
    readonly status: { readonly podIP: string; readonly hostIP: string };
}

const serve =
    'mkdir /tmp/web && echo "$NODE" > /tmp/web/index.html && echo ready && exec busybox httpd -f -p 8080 -h /tmp/web';

/** A web server on every worker that returns its node's name, and a service in front of it. */
const web = {
    apiVersion: "v1",
    kind: "List",
    items: [
        webServers(serve),
        {
            apiVersion: "v1",
            kind: "Service",
            metadata: { name: "web" },
            spec: {
                type: "NodePort",
                selector: { app: "web" },
                ports: [{ port: 80, targetPort: 8080, nodePort: 30080 }],
            },
        },
    ],
};

describe("the network of a cluster", function () {
    this.timeout(180_000);

    let pods: Pod[];

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await shared.apply(web);
        await shared.kubectl("rollout", "status", "daemonset/web", "--timeout=90s");
        pods = (await shared.get<{ items: Pod[] }>("pods", "-l", "app=web")).items;
        assert.equal(pods.length, 2);
    });

    after(async () => {
        await shared.pulumi("config", "rm", "--path", "tradewind:components").catch(() => {});
        await shared.pulumi("up", "--yes", "--skip-preview");
        await shared.kubectl("delete", "daemonset/web", "service/web", "--wait=false");
    });

    const fetchIn = (pod: Pod, url: string) =>
        shared.kubectl("exec", pod.metadata.name, "--", "busybox", "wget", "-q", "-O", "-", url);

    it("delivers a packet from a pod to a pod on another node", async () => {
        const [from, to] = pods as [Pod, Pod];
        assert.equal((await fetchIn(from, `http://${to.status.podIP}:8080/`)).trim(), to.spec.nodeName);
    });

    it("answers at a service's address", async () => {
        const { spec } = await shared.get<{ spec: { clusterIP: string } }>("service", "web");
        const answer = await eventually("service address", () => fetchIn(pods[0]!, `http://${spec.clusterIP}/`), 20);
        assert(pods.some((pod) => pod.spec.nodeName === answer.trim()));
    });

    it("resolves a service's name, short and full", async () => {
        for (const name of ["web", "web.default.svc.cluster.local"]) {
            const answer = await eventually(name, () => fetchIn(pods[0]!, `http://${name}/`), 60);
            assert(pods.some((pod) => pod.spec.nodeName === answer.trim()));
        }
    });

    it("answers at a NodePort of every node", async () => {
        const { items } = await shared.get<{ items: { status: { addresses: { type: string; address: string }[] } }[] }>(
            "nodes",
        );
        for (const node of items) {
            const address = node.status.addresses.find(({ type }) => type === "InternalIP")!.address;
            const answer = await eventually(address, () => fetchIn(pods[0]!, `http://${address}:30080/`), 20);
            assert(pods.some((pod) => pod.spec.nodeName === answer.trim()));
        }
    });

    it("keeps a packet for an unknown service address on the node", async () => {
        const node = pods[0]!.spec.nodeName;
        const routes = await shared.exec(node, "ip route get 10.3.255.254; ip route get 10.2.255.254 || true");
        assert.match(routes, /10\.3\.255\.254 dev services/);
        assert.doesNotMatch(routes, /10\.2\.255\.254 .*via/);
    });

    itLong("works while and after flags of kube-proxy, flannel and CoreDNS change in an up", async () => {
        const flags = {
            "kubeProxy.conntrack-udp-timeout": "61s",
            "flannel.iptables-resync": "31",
            "coredns.quiet": "true",
        };
        for (const [flag, value] of Object.entries(flags)) {
            await shared.pulumi("config", "set", "--path", `tradewind:components.${flag}`, value, "--plaintext");
        }
        const preview = await shared.pulumi("preview", "--diff");
        assert.match(preview.stdout, /~ 3 to update/);
        assert.doesNotMatch(preview.stdout, /to (replace|create|delete)/);
        const fetch = "busybox wget -q -O - http://web/ 2>&1 >/tmp/answer";
        const fetching = `until [ -e /tmp/stop ]; do error=$(${fetch}) && echo answered || echo "failed: $(date +%T) $error"; sleep 0.2; done`;
        const asked = shared.kubectl("exec", pods[0]!.metadata.name, "--", "sh", "-c", fetching);
        await shared.pulumi("up", "--yes", "--skip-preview");
        await shared.kubectl("exec", pods[0]!.metadata.name, "--", "touch", "/tmp/stop");
        const answers = (await asked).trim().split("\n");
        assert.ok(answers.length > 20, `${answers.length} requests`);
        assert.deepEqual([...new Set(answers)], ["answered"]);
        const node = pods[0]!.spec.nodeName;
        const lines = await shared.exec(
            node,
            "cat /proc/$(pgrep -x kube-proxy)/cmdline /proc/$(pgrep -x flanneld)/cmdline | tr '\\0' '\\n'",
        );
        assert.match(lines, /^--conntrack-udp-timeout=61s$/m);
        assert.match(lines, /^--iptables-resync=31$/m);
        await shared.pulumi("preview", "--expect-no-changes");
    });

    it("shows a pod's logs", async () => {
        assert.equal((await shared.kubectl("logs", pods[0]!.metadata.name)).trim(), "ready");
    });

    it("runs a command in a pod and returns its exit code", async () => {
        await assert.rejects(shared.kubectl("exec", pods[0]!.metadata.name, "--", "sh", "-c", "exit 7"), { code: 7 });
    });

    it("forwards a port", async () => {
        const forward = spawn(kubectlPath(), [
            ...[
                "--kubeconfig",
                shared.kubeconfig,
                "port-forward",
                `pod/${pods[1]!.metadata.name}`,
                ":8080",
                "--address",
                "127.0.0.1",
            ],
        ]);
        try {
            const [chunk] = await once(forward.stdout, "data");
            const port = /127\.0\.0\.1:(\d+)/.exec(String(chunk))![1];
            const { text } = await ask(`http://127.0.0.1:${port}/`);
            assert.equal(text.trim(), pods[1]!.spec.nodeName);
        } finally {
            forward.kill();
        }
    });
});
