import assert from "node:assert/strict";
import { images } from "../../../versions/images";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { shared, sharedCluster } from "../shared";

interface Pod {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
    readonly spec: { readonly nodeName?: string };
    readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Asks for a name of the cluster again and again, and reports each failure. */
const asker = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "dns-asker" },
    spec: {
        terminationGracePeriodSeconds: 0,
        containers: [
            {
                name: "asker",
                image: images.busybox,
                command: [
                    "sh",
                    "-c",
                    "while sleep 0.3; do nslookup kubernetes.default.svc.cluster.local >/dev/null 2>&1 && echo answered || echo failed; done",
                ],
            },
        ],
    },
};

const blocks = "tradewind:dns.serverBlocks";
const setBlocks = (text: string) => shared.pulumi("config", "set", "--path", blocks, text, "--plaintext");
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

describe("cluster DNS", function () {
    this.timeout(400_000);
    const kubeSystem = ["-n", "kube-system"];

    const ready = async () => {
        const { items } = await shared.get<{ items: Pod[] }>("pods", ...kubeSystem, "-l", "k8s-app=kube-dns");
        return items.filter(
            ({ metadata, status }) =>
                !metadata.deletionTimestamp &&
                status.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
        );
    };
    const twoNodes = () =>
        eventually("two replicas on two nodes", async () => {
            const pods = await ready();
            assert.equal(pods.length, 2);
            assert.notEqual(pods[0]!.spec.nodeName, pods[1]!.spec.nodeName);
            return pods;
        });
    const lookUp = (name: string) => shared.kubectl("exec", "dns-asker", "--", "nslookup", name);
    const configs = async () =>
        (await shared.kubectl("get", "configmaps", ...kubeSystem, "-o", "name")).match(/configmap\/coredns\S*/g);
    const spare = `${shared.name}-default-1`;

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await shared.apply(asker);
        await shared.kubectl("wait", "--for=condition=Ready", "pod/dns-asker", "--timeout=60s");
        await shared.pulumi("config", "set", "tradewind:rolloutTimeout", "1m");
    });

    itLong("serves additional zones after a rollout, even if only two nodes take pods", async () => {
        await shared.kubectl("cordon", spare);
        try {
            await setBlocks("corp.example {\n    hosts {\n        10.9.8.7 www.corp.example\n    }\n}\n");
            await up();
            await twoNodes();
            assert.match(await lookUp("www.corp.example"), /10\.9\.8\.7/);
            assert.equal((await configs())!.length, 1);
        } finally {
            await shared.kubectl("uncordon", spare);
        }
    });

    itLong("keeps serving if its new configuration is bad, even when a pod is replaced, and up says why", async () => {
        const before = (await twoNodes()).map(({ metadata }) => metadata.name).sort();
        await setBlocks("corp.example {\n    rewrite nonsense a b\n}\n");
        await assert.rejects(up(), /container "coredns": .*plugin\/rewrite: invalid rule type "nonsense"/s);
        const after = (await twoNodes()).map(({ metadata }) => metadata.name).sort();
        assert.deepEqual(after, before);
        await shared.kubectl("delete", "pod", ...kubeSystem, after[0]!);
        await twoNodes();
        assert.match(await lookUp("www.corp.example"), /10\.9\.8\.7/);
    });

    itLong("is as before once the option is removed", async () => {
        await shared.pulumi("config", "rm", "--path", "tradewind:dns");
        await up();
        await twoNodes();
        assert.equal((await configs())!.length, 1);
        await assert.rejects(lookUp("www.corp.example"));
        await shared.pulumi("preview", "--expect-no-changes");
    });

    itLong("answered all the time", async () => {
        const lines = (await shared.kubectl("logs", "dns-asker")).trim().split("\n");
        const failed = lines.filter((line) => line === "failed").length;
        console.log(`      ${failed} of ${lines.length} queries failed`);
        assert.ok(lines.length > 50);
        assert.equal(failed, 0);
    });

    it("moves a replica to a third node when its own is drained", async () => {
        const pods = await twoNodes();
        const from = pods.find(({ spec }) => spec.nodeName !== `${shared.name}-controller-0`)!.spec.nodeName!;
        await shared.kubectl(
            "drain",
            from,
            "--ignore-daemonsets",
            "--delete-emptydir-data",
            "--force",
            "--timeout=90s",
        );
        try {
            const moved = await twoNodes();
            assert(moved.every(({ spec }) => spec.nodeName !== from));
        } finally {
            await shared.kubectl("uncordon", from);
        }
    });

    after(async () => {
        await shared.pulumi("config", "rm", "tradewind:rolloutTimeout");
        await shared.kubectl("delete", "pod", "dns-asker", "--ignore-not-found");
    });
});
