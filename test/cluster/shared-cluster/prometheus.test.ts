import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { itLong } from "../../takes-long";
import { eventually, kubectlPath } from "../cluster";
import { expectedJobs } from "../scrape-targets";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const workers = [0, 1].map((index) => `${shared.name}-default-${index}`);

interface Alert {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
}

const set = (path: string, value: string) =>
    shared.pulumi("config", "set", "--path", `tradewind:prometheus${path}`, value);
const up = () => shared.pulumi("up", "--yes", "--skip-preview");
const objects = async () => {
    const kinds = "deployments,pods,configmaps,serviceaccounts,persistentvolumeclaims";
    const inNamespace = await shared.kubectl("get", kinds, "-n", "kube-system", "-o", "name");
    return `${inNamespace}${await shared.kubectl("get", "clusterroles,clusterrolebindings,persistentvolumes", "-o", "name")}`;
};
const nodeOfPod = async () => {
    const { items } = await shared.get<{ items: { spec: { nodeName: string } }[] }>(
        ...["pods", "-n", "kube-system", "-l", "k8s-app=prometheus"],
    );
    return items[0]!.spec.nodeName;
};

describe("Prometheus in a cluster", function () {
    this.timeout(900_000);
    const received: Alert[] = [];
    const alertmanager = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        received.push(...JSON.parse(Buffer.concat(chunks).toString()));
        response.end();
    });
    let forward: ChildProcess | undefined;
    let base: string;

    /** As documented: nothing else reaches it. */
    const forwardPort = async () => {
        forward?.kill();
        const resource = ["-n", "kube-system", "port-forward", "deployment/prometheus", ":9090"];
        forward = spawn(kubectlPath(), ["--kubeconfig", shared.kubeconfig, ...resource, "--address", "127.0.0.1"]);
        const [chunk] = await once(forward.stdout!, "data");
        base = `http://127.0.0.1:${/127\.0\.0\.1:(\d+)/.exec(String(chunk))![1]}`;
    };
    const text = async (path: string) => {
        const response = await fetch(`${base}${path}`);
        assert.equal(response.status, 200, path);
        return response.text();
    };
    const query = async (expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> =>
        JSON.parse(await text(`/api/v1/query?${new URLSearchParams({ query: expr })}`)).data.result;

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        alertmanager.listen(0, "0.0.0.0");
        await once(alertmanager, "listening");
    });
    after(async () => {
        forward?.kill();
        alertmanager.close();
        await shared.pulumi("config", "rm", "tradewind:prometheus").catch(() => {});
    });

    itLong("scrapes every component of every node", async () => {
        // The host's address, as seen by the machines.
        const host = (await shared.exec(controller, "ip -4 route show default")).split(" ")[2]!;
        await set(".alertmanagers[0]", `http://${host}:${(alertmanager.address() as AddressInfo).port}`);
        await up();
        assert.ok(workers.includes(await nodeOfPod()), "on a controller");
        await forwardPort();
        await eventually(
            "targets that are up",
            async () => {
                const counts: Record<string, number> = {};
                for (const { metric, value } of await query("up")) {
                    assert.equal(value[1], "1", JSON.stringify(metric));
                    counts[metric.job!] = (counts[metric.job!] ?? 0) + 1;
                }
                assert.deepEqual(counts, expectedJobs);
            },
            120,
        );
    });

    itLong("cannot be reached by other pods", async () => {
        const { items } = await shared.get<{ items: { status: { podIP: string } }[] }>(
            ...["pods", "-n", "kube-system", "-l", "k8s-app=prometheus"],
        );
        const command = `curl -s -m 5 -o /dev/null http://${items[0]!.status.podIP}:9090/ || echo refused`;
        for (const node of [controller, ...workers]) assert.equal((await shared.exec(node, command)).trim(), "refused");
    });

    itLong("serves a dashboard with values of this cluster", async () => {
        await eventually(
            "values",
            async () => {
                const page = await text("/consoles/index.html");
                const zero = ["Targets that cannot be scraped", "Stale checkpoints", "etcd alarms"];
                for (const part of [
                    `<h1>${shared.name}</h1>`,
                    ...zero.map((title) => `<p><b>0</b> ${title}</p>`),
                    "<td>test-controller-0</td><td>kube-apiserver</td><td>apiserver.crt</td>",
                ]) {
                    assert.ok(page.includes(part), part);
                }
            },
            120,
        );
    });

    itLong("has samples for every graph", async () => {
        const page = await text("/consoles/index.html");
        const queries = [...page.matchAll(/data-queries='([^']+)'/g)].flatMap(([, quoted = ""]) =>
            JSON.parse(quoted.replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&")),
        );
        assert.ok(queries.length > 10);
        for (const [expr] of queries) {
            // Nothing runs from its checkpoint.
            if (expr.startsWith("tradewind_checkpoint_copy_active")) continue;
            await eventually(expr, async () => assert.ok((await query(expr)).length > 0), 120);
        }
    });

    itLong("reports a node whose kubelet stopped, and that it runs again", async () => {
        const prometheus = await nodeOfPod();
        const worker = workers.find((each) => each !== prometheus)!;
        await shared.exec(worker, "systemctl stop kubelet");
        try {
            const alert = await eventually(
                "an alert",
                async () => {
                    const found = received.find(({ labels }) => labels.alertname === "TradewindNodeNotReady");
                    assert.ok(found, JSON.stringify(received));
                    return found;
                },
                300,
            );
            assert.deepEqual([alert.labels.severity, alert.labels.cluster], ["warning", shared.name]);
            assert.equal(alert.annotations.summary, "Nodes that are not Ready: 1. See tradewind status.");
            const down = (await query("up == 0")).map(({ metric }) => `${metric.job} ${metric.instance}`);
            assert.deepEqual(down.filter((each) => each.startsWith("kubelet")).sort(), [
                `kubelet ${worker}`,
                `kubelet-resources ${worker}`,
            ]);
        } finally {
            await shared.exec(worker, "systemctl start kubelet");
        }
        await eventually(
            "the end of the alert",
            async () => assert.deepEqual(await query('ALERTS{alertname="TradewindNodeNotReady"}'), []),
            120,
        );
    });

    itLong("keeps its samples on a volume while its pod is replaced", async () => {
        await set(".storageClass", "local");
        await set(".storageSize", "1");
        await up();
        await forwardPort();
        await eventually("a sample", async () => assert.ok((await query("up")).length > 0), 120);
        const start = Date.now() / 1000;
        await shared.kubectl("delete", "pod", "-n", "kube-system", "-l", "k8s-app=prometheus");
        await shared.kubectl("rollout", "status", "deployment/prometheus", "-n", "kube-system", "--timeout=120s");
        await forwardPort();
        const before = await eventually("Prometheus", () => query(`count(up @ ${start})`), 60);
        assert.ok(Number(before[0]?.value[1]) > 0, JSON.stringify(before));
    });

    itLong("leaves nothing once the option is removed", async () => {
        assert.match(await objects(), /prometheus/);
        await shared.pulumi("config", "rm", "tradewind:prometheus");
        await up();
        await eventually("no object of Prometheus", async () => assert.doesNotMatch(await objects(), /prometheus/), 60);
        await shared.pulumi("preview", "--expect-no-changes");
    });
});
