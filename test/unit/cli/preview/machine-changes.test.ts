import assert from "node:assert/strict";
import { machineChanges } from "../../../../cli/preview/machine-changes";
import type { Operation, OwnedStep } from "../../../../cli/preview/model";

const step = (type: string, name: string, operation: Operation, more: Partial<OwnedStep> = {}): OwnedStep => ({
    operation,
    type,
    name,
    urn: name,
    component: "",
    changed: [],
    replaces: operation === "replace" ? ["size"] : [],
    isDeletedFirst: true,
    old: { size: "small" },
    new: { size: "large" },
    ...more,
});
const droplet = (name: string, operation: Operation) => step("digitalocean:index/droplet:Droplet", name, operation);
const disk = (node: string, operation: Operation) =>
    step("digitalocean:index/volume:Volume", `${node}-etcd`, operation);
const group = (more: Partial<OwnedStep>) => step("aws:autoscaling/group:Group", "c-a", "update", more);
const changes = (...steps: OwnedStep[]) => machineChanges({ name: "c", steps });
const costs = (...steps: OwnedStep[]) => Object.fromEntries(changes(...steps).map(({ name, cost }) => [name, cost]));
const [first, second, third] = ["c-controller-0", "c-controller-1", "c-controller-2"] as const;

describe("changes to machines and their impact", () => {
    it("are empty for unchanged machines", () => {
        assert.deepEqual(changes(droplet(first, "same"), group({ operation: "same" })), []);
    });

    it("are the loss of the API for a single controller, and of etcd without its volume", () => {
        assert.match(
            costs(droplet(first, "replace"), disk(first, "same"))[first]!,
            /no API until .* etcd data is kept/,
        );
        assert.match(costs(droplet(first, "replace"), disk(first, "replace"))[first]!, /no API .* snapshot/);
        assert.match(costs(droplet(first, "replace"))[first]!, /a snapshot has to be restored/);
    });

    it("are one of three controllers, or the majority of etcd", () => {
        const one = costs(droplet(first, "replace"), droplet(second, "same"), droplet(third, "same"));
        assert.match(one[first]!, /^one of 3 controllers is down/);
        const two = costs(droplet(first, "replace"), droplet(second, "replace"), droplet(third, "same"));
        assert.match(two[first]!, /\*\*etcd loses quorum\*\*: 2 of 3/);
        // Controllers that are still to be created do not count.
        const growing = costs(droplet(first, "replace"), droplet(second, "create"), droplet(third, "create"));
        assert.match(growing[first]!, /no API/);
    });

    it("count an arbiter as a member of etcd", () => {
        const arbiter = "c-arbiter-0";
        const one = costs(droplet(first, "same"), droplet(second, "same"), droplet(arbiter, "replace"));
        assert.match(one[arbiter]!, /^one of 3 members of etcd is down .* no other member may fail/);
        const two = costs(droplet(first, "replace"), droplet(second, "same"), droplet(arbiter, "replace"));
        assert.match(two[first]!, /\*\*etcd loses quorum\*\*: 2 of 3 members of etcd/);
        assert.match(costs(droplet(first, "same"), droplet(arbiter, "delete"))[arbiter]!, /etcd member is removed/);
    });

    it("contain the reason for a replacement, with the greatest impact first", () => {
        const list = changes(droplet("c-a-1", "create"), droplet("c-b-0", "delete"), droplet("c-a-0", "replace"));
        assert.deepEqual(
            list.map(({ name, change }) => [name, change]),
            [
                ["c-a-0", "replaced (size small → large)"],
                ["c-b-0", "removed"],
                ["c-a-1", "added"],
            ],
        );
    });

    it("are one machine at a time if they are stopped to be resized", () => {
        const resized = (name: string) => ({ ...droplet(name, "update"), changed: ["size"] });
        const [change] = changes(resized(first), resized(second), droplet(third, "same"));
        assert.equal(change!.change, "stopped to be resized (size small → large)");
        assert.match(change!.cost, /^one of 3 controllers at a time is drained/);
        const withOthers = costs(resized(first), droplet(second, "replace"), droplet(third, "same"));
        assert.match(withOthers[first]!, /loses quorum.*: 2 of 3/);
        assert.match(costs(resized("c-a-0"))["c-a-0"]!, /^drained first, .* no other machine is stopped/);
        assert.match(costs(resized(first))[first]!, /no API until .* etcd data is kept/);
    });

    it("differ between removed controllers and workers", () => {
        const gone = costs(droplet(first, "same"), droplet(second, "delete"), droplet("c-a-0", "delete"));
        assert.match(gone[second]!, /etcd member is removed/);
        assert.doesNotMatch(gone["c-a-0"]!, /etcd/);
    });

    it("are none for a group with a new template, unless it refreshes its instances", () => {
        const template = (version: string, more: object = {}) => ({
            desiredCapacity: 3,
            launchTemplate: { version },
            ...more,
        });
        const refresh = { instanceRefresh: { preferences: { minHealthyPercentage: 90, maxHealthyPercentage: 110 } } };
        const [plain] = changes(group({ old: template("1"), new: template("2") }));
        assert.match(plain!.cost, /^none: existing machines stay/);
        const [fresh] = changes(group({ old: template("1", refresh), new: template("2", refresh) }));
        assert.deepEqual(
            [fresh!.change, fresh!.cost],
            [
                "its 3 machines are replaced, after everything else",
                "90 to 110 % of them are in service meanwhile; pods on removed machines are evicted within disruption budgets, for up to the pool's drainTimeout",
            ],
        );
    });

    it("are none for a local machine's node config", () => {
        const create = "node machines/cli.js machine create --name c-a-0";
        const command = step("command:local:Command", "c-a-0", "update", {
            old: { create, stdin: "[secret]" },
            new: { create, stdin: "[secret]" },
            changed: ["stdin"],
        });
        assert.deepEqual(
            changes(command).map(({ change, cost }) => [change, cost.slice(0, 4)]),
            [["changed (node config)", "none"]],
        );
    });
});
