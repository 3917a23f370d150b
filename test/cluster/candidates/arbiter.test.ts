import assert from "node:assert/strict";
import { isReady, type Node } from "../../../clients/kubernetes/objects";
import { destroyMachine, powerCut, powerOff, powerOn } from "../../../machines";
import { describeLong } from "../../takes-long";
import { eventually, TestCluster } from "../cluster";
import { countObjects } from "../count-objects";
import { etcdLeader, etcdMembers, leadEtcd } from "../etcd-roll";

const cluster = new TestCluster("arbiter");
const controller = (index: number) => `${cluster.name}-controller-${index}`;
const arbiter = `${cluster.name}-arbiter-0`;
const voters = [arbiter, controller(0), controller(1)];

const isStill = () => cluster.pulumi("preview", "--expect-no-changes");

/** Every member serves, all nodes are Ready, and the controllers serve the API. */
const untilWhole = (members: readonly string[] = voters, seconds = 180) =>
    eventually(
        `the members ${members.join(", ")}, each serving`,
        async () => {
            for (const name of members) {
                assert.deepEqual(await etcdMembers(cluster, name), [...members].sort());
                await cluster.exec(name, "curl -sf http://127.0.0.1:2381/readyz");
                if (name === arbiter) continue;
                assert.equal(await cluster.exec(name, "curl -sk https://127.0.0.1:6443/readyz"), "ok");
            }
            const { items } = await cluster.get<{ items: Node[] }>("nodes");
            const notReady = items.filter(({ status }) => !isReady(status)).map(({ metadata }) => metadata.name);
            assert.deepEqual(notReady, []);
        },
        seconds,
    );

/** Apps of the pods on a node, static ones included. */
async function appsOn(node: string): Promise<string[]> {
    interface Pods {
        readonly items: readonly { readonly metadata: { readonly labels?: Record<string, string> } }[];
    }
    const { items } = await cluster.get<Pods>("pods", "-A", "--field-selector", `spec.nodeName=${node}`);
    return [...new Set(items.map(({ metadata }) => metadata.labels?.["k8s-app"] ?? "another"))].sort();
}

describeLong("a cluster of two controllers and an arbiter", function () {
    this.timeout(900_000);

    before(() => cluster.start("--arbiter", "--workers", "1", "--yes"));
    after(() => cluster.destroy());

    it("has three voters, one of which has nothing else of a control plane", async () => {
        await untilWhole();
        const files = await cluster.exec(
            arbiter,
            "cd /etc/kubernetes && find pki manifests checkpoints -type f 2>/dev/null | sort || true",
        );
        assert.deepEqual(files.trim().split("\n"), [
            "manifests/etcd.json",
            "pki/ca.crt",
            "pki/etcd/ca.crt",
            "pki/etcd/member.crt",
            "pki/etcd/member.key",
        ]);
        const apps = await appsOn(arbiter);
        assert.ok(
            ["etcd", "etcd-join", "node-agent", "kube-proxy"].every((app) => apps.includes(app)),
            apps.join(),
        );
        const controlPlane = (await appsOn(controller(0))).filter((app) => !apps.includes(app));
        assert.ok(["kube-apiserver", "checkpointer", "node-approver"].every((app) => controlPlane.includes(app)));
        assert.ok(
            !apps.some((app) => /^(kube-(apiserver|controller-manager|scheduler)|checkpointer|coredns)$/.test(app)),
        );
        const { metadata } = await cluster.get("node", arbiter);
        assert.ok("node-role.kubernetes.io/arbiter" in metadata.labels!);
        await isStill();
        const { stdout } = await cluster.tradewind("status");
        assert.match(stdout, new RegExp(`${arbiter} +arbiter +Ready`));
    });

    it("serves and writes when the controller that leads etcd is killed, and takes it back", async () => {
        await leadEtcd(cluster, controller(0));
        const count = await countObjects(cluster, "a controller killed for 60 s", async () => {
            await powerOff(cluster.name, controller(0));
            await eventually("another leader", async () =>
                assert.notEqual(await etcdLeader(cluster, controller(1)), controller(0)),
            );
            await new Promise((resolve) => setTimeout(resolve, 60_000));
            await powerOn(cluster.name, controller(0));
            await untilWhole();
        });
        assert.ok(count.longestGap < 30_000, `${count.longestGap} ms without an acknowledged object`);
        await isStill();
    });

    it("loses no write when the power of all three is cut at once", async () => {
        await countObjects(cluster, "a power cut of all three", async () => {
            await Promise.all(voters.map((name) => powerCut(cluster.name, name)));
            await untilWhole(voters, 300);
        });
    });

    it("writes without the arbiter, and replaces it if its disk is lost", async () => {
        const { stdout } = await cluster.pulumi("stack", "export");
        const { resources } = JSON.parse(stdout).deployment as { resources: { urn: string }[] };
        const replace = [arbiter, `${cluster.name}-token-lifetime-arbiter-0`].flatMap((name) => {
            const { urn } = resources.find((resource) => resource.urn.endsWith(`Command::${name}`))!;
            return ["--replace", urn];
        });
        const count = await countObjects(cluster, "the arbiter lost and replaced", async () => {
            await destroyMachine(cluster.name, arbiter);
            await cluster.pulumi("up", "--yes", "--skip-preview", ...replace);
            await untilWhole(voters, 300);
        });
        assert.ok(count.longestGap < 10_000, `${count.longestGap} ms without an acknowledged object`);
        await isStill();
    });

    it("changes a flag of etcd on one member after another", async () => {
        await cluster.pulumi("config", "set", "--path", "tradewind:components.etcd.max-txn-ops", "256", "--plaintext");
        await countObjects(cluster, "another flag of etcd", () => cluster.pulumi("up", "--yes", "--skip-preview"));
        for (const name of voters) {
            assert.match(await cluster.exec(name, "cat /etc/kubernetes/manifests/etcd.json"), /--max-txn-ops=256/);
        }
        await untilWhole();
        await isStill();
    });

    it("becomes a cluster of three controllers, and removes the arbiter with its member", async () => {
        await countObjects(cluster, "a third controller instead of the arbiter", () =>
            cluster.start("--controllers", "3", "--yes"),
        );
        await untilWhole([0, 1, 2].map(controller));
        await isStill();
    });
});
