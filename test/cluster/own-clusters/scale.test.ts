import assert from "node:assert/strict";
import { destroyMachine, list } from "../../../machines";
import { eventually, readText, TestCluster } from "../cluster";
import { type Count, ObjectCounter } from "../object-counter";

const scaled = new TestCluster("scale");
const controllers = (...indexes: number[]) => indexes.map((index) => `scale-controller-${index}`);

/** The etcd members, as a machine's own tells them; a learner is marked. */
async function members(machine: string): Promise<string[]> {
    const pki = "/etc/kubernetes/pki/etcd";
    const answer = await scaled.exec(
        machine,
        `curl -sS --fail --cacert ${pki}/ca.crt --cert ${pki}/member.crt --key ${pki}/member.key ` +
            `-d '{"linearizable":true}' https://127.0.0.1:2379/v3/cluster/member/list`,
    );
    const all: { name?: string; isLearner?: boolean }[] = JSON.parse(answer).members;
    return all.map(({ name = "unnamed", isLearner }) => (isLearner ? `${name} (learner)` : name)).sort();
}

async function nodes(): Promise<string[]> {
    const { items } = await scaled.get<{ items: Node[] }>("nodes");
    const isReady = ({ status }: Node) =>
        status.conditions.some(({ type, status: value }) => type === "Ready" && value === "True");
    return items.map((node) => `${node.metadata.name}${isReady(node) ? "" : " (not Ready)"}`).sort();
}

interface Node {
    readonly metadata: { readonly name: string };
    readonly status: { readonly conditions: { type: string; status: string }[] };
}

const isServing = async (machine: string) => {
    const answer = await scaled.exec(machine, "curl -sk https://127.0.0.1:6443/readyz");
    assert.equal(answer, "ok");
};

/** Says what was seen, and fails if anything that was acknowledged is not there. */
async function check(what: string, { acknowledged, failures, longestGap }: Count): Promise<void> {
    console.log(
        `      ${what}: ${acknowledged.length} objects acknowledged, ${failures.length} requests failed, ` +
            `longest gap ${longestGap} ms${failures.length > 0 ? `; ${failures.slice(0, 5).join("; ")}` : ""}`,
    );
    const { items } = await scaled.get<{ items: { metadata: { name: string } }[] }>("configmaps");
    const there = new Set(items.map(({ metadata }) => metadata.name));
    assert.ok(acknowledged.length > 0);
    assert.deepEqual(
        acknowledged.filter((name) => !there.has(name)),
        [],
    );
}

describe("a cluster that grows and shrinks", function () {
    this.timeout(600_000);
    let counter: ObjectCounter;
    const timed = async (what: string, act: () => Promise<unknown>) => {
        const start = performance.now();
        counter = new ObjectCounter(readText(scaled.kubeconfig));
        let count: Count;
        try {
            await act();
        } finally {
            count = await counter.stop();
        }
        await check(`${what} in ${((performance.now() - start) / 1000).toFixed(0)} s`, count);
        return count;
    };

    before(() => scaled.start("--controllers", "1", "--workers", "1", "--yes"));
    after(() => scaled.destroy());

    it("grows from one controller to three", async () => {
        await timed("1 to 3 controllers", () => scaled.start("--controllers", "3", "--yes"));
        assert.deepEqual(await members("scale-controller-0"), controllers(0, 1, 2));
    });

    it("loses its first controller for good and gets another of the same name, which joins the others", async () => {
        const { stdout } = await scaled.pulumi("stack", "export");
        const { resources } = JSON.parse(stdout).deployment as { resources: { urn: string }[] };
        const replace = ["scale-controller-0", "scale-token-lifetime-controller"].flatMap((name) => {
            const { urn } = resources.find((resource) => resource.urn.endsWith(`Command::${name}`))!;
            return ["--replace", urn];
        });
        await timed("first controller lost and made anew", async () => {
            await destroyMachine("scale", "scale-controller-0");
            await scaled.pulumi("up", "--yes", "--skip-preview", ...replace);
            // The pod on its node makes it a member again, by itself.
            await eventually("the new controller to serve the API", () => isServing("scale-controller-0"), 240);
        });
        assert.deepEqual(await members("scale-controller-0"), controllers(0, 1, 2));
        await scaled.pulumi("preview", "--expect-no-changes");
    });

    it("shrinks to the first controller and no worker, node by node, before a machine goes", async () => {
        const count = await timed("3 to 1 controllers and 1 to 0 workers", () =>
            scaled.start("--controllers", "1", "--workers", "0", "--yes"),
        );
        assert.deepEqual(count.failures, []);
        assert.deepEqual(await members("scale-controller-0"), controllers(0));
        assert.deepEqual(await nodes(), controllers(0));
        const machines = (await list("scale")).filter(({ role }) => role === "machine");
        assert.deepEqual(
            machines.map(({ name }) => name),
            controllers(0),
        );
    });
});
