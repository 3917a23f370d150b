import assert from "node:assert/strict";
import { isReady } from "../../../clients/kubernetes/objects";
import { itLong } from "../../takes-long";
import { eventually, type KubernetesObject } from "../cluster";
import { describeTallies, Prober } from "../prober";
import { loadBalancerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const workers = [0, 1].map((index) => `${shared.name}-default-${index}`);
const nodes = [...workers, controller];

interface Node extends KubernetesObject {
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: { readonly conditions?: { type: string; status: string }[] };
}

interface Event extends KubernetesObject {
    readonly involvedObject: { readonly name: string };
    readonly reason: string;
}

const nodesSeen = async () => (await shared.get<{ items: Node[] }>("nodes")).items;
const boot = (node: string) => shared.exec(node, "cat /var/lib/tradewind/node-agent/boot");
const up = () => shared.pulumi("up", "--yes", "--skip-preview");

/** Reasons of the events about a node's reboots, oldest first. */
async function reasons(node: string): Promise<string[]> {
    const { items } = await shared.get<{ items: Event[] }>("events", "--sort-by=.metadata.creationTimestamp");
    return items
        .filter(({ involvedObject, reason }) => involvedObject.name === node && reason.startsWith("OsReboot"))
        .map(({ reason }) => reason);
}

describe("machines whose OS requests a reboot", function () {
    this.timeout(1_800_000);

    before(() => sharedCluster());

    itLong("reboot one after another in a window, the only controller last, and each once", async () => {
        const always = ["tradewind:osReboots.windows[0]", "00:00-24:00", "--plaintext"];
        await shared.pulumi("config", "set", "--path", ...always);
        await up();
        try {
            const before = await Promise.all(nodes.map(boot));
            for (const node of workers) await shared.exec(node, "touch /run/reboot-required");
            // Of the requests, those of workers come first; a single one does not wait for others.
            await eventually("the workers' requests", async () => {
                for (const node of workers) assert.ok((await reasons(node)).includes("OsRebootRequested"), node);
            });
            await shared.exec(controller, "touch /run/reboot-required");
            const prober = new Prober(await loadBalancerTargets(shared), 900);
            const order: string[] = [];
            const start = performance.now();
            await eventually(
                "every machine's reboot",
                async () => {
                    // Checked without the API, which goes down with its only controller. A machine that is down reports
                    // nothing.
                    const now = await Promise.all(nodes.map((node) => boot(node).catch(() => undefined)));
                    const down = nodes.filter((_, index) => now[index] === undefined);
                    if (down.length > 1) order.push(`${down.join(" and ")} at once`);
                    for (const [index, node] of nodes.entries()) {
                        const isOther = now[index] !== undefined && now[index] !== before[index];
                        if (isOther && !order.includes(node)) order.push(node);
                    }
                    assert.deepEqual([...order].sort(), [...nodes].sort(), "all were rebooted");
                    const notReadyBecause = (await nodesSeen()).filter(
                        ({ spec, status }) => spec.unschedulable || !isReady(status),
                    );
                    assert.deepEqual(
                        notReadyBecause.map(({ metadata }) => metadata.name),
                        [],
                    );
                    const { spec } = await shared.get<{ spec?: { holderIdentity?: string } } & KubernetesObject>(
                        ...["-n", "kube-system", "lease", "os-reboot"],
                    );
                    assert.equal(spec?.holderIdentity, undefined, "no turn taken");
                },
                900,
            );
            const tallies = await prober.stop();
            console.log(`      ${nodes.length} machines in ${Math.round((performance.now() - start) / 1000)} s`);
            console.log(`      including the time without the only apiserver: ${describeTallies(tallies)}`);
            assert.deepEqual(order, nodes, "workers first, and one at a time");
            for (const node of nodes) {
                assert.deepEqual(
                    (await reasons(node)).slice(-3),
                    ["OsRebootRequested", "OsRebooting", "OsRebooted"],
                    node,
                );
                await shared.exec(node, "! test -e /var/lib/tradewind/node-agent/reboot-requested");
            }
        } finally {
            await shared.pulumi("config", "rm", "tradewind:osReboots");
            await up();
        }
    });
});
