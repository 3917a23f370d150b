import assert from "node:assert/strict";
import { resolveCluster } from "../../../components/cluster/resolve";
import { createTokenLifetimes } from "../../../components/token-lifetimes";
import { deploy, resolved } from "../deploy";
import { Made } from "./owned-in-cluster";

function create(count: number, lasting: readonly string[] = [], madeAnew: Record<string, string> = {}) {
    const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a", count }] });
    const outputs = () => ({ stdout: "2030-01-01T00:00:00.000Z\n" });
    return deploy(() => createTokenLifetimes("c", cluster, lasting, new Made("owner"), madeAnew), { outputs });
}

const commandsOf = async (count: number) =>
    (await create(count)).resources.filter(({ type }) => type === "command:local:Command");

describe("the end of the pools' tokens", () => {
    it("is a time for each pool, controllers among them", async () => {
        const { result } = await create(1);
        assert.deepEqual(Object.keys(result), ["controller", "a"]);
        for (const end of Object.values(result)) assert.equal(await resolved(end), "2030-01-01T00:00:00.000Z");
    });

    it("is not for pools whose tokens do not end", async () => {
        assert.deepEqual(Object.keys((await create(1, ["a"])).result), ["controller"]);
    });

    it("is set again when a pool's number of machines changes, and no other pool's", async () => {
        const [before, after] = [await commandsOf(1), await commandsOf(2)];
        const triggers = (commands: typeof before) =>
            Object.fromEntries(commands.map(({ name, inputs }) => [name, inputs.triggers]));
        assert.deepEqual(triggers(before), {
            "c-token-lifetime-controller": ["c-controller-0"],
            "c-token-lifetime-a": ["c-a-0"],
        });
        assert.deepEqual(triggers(after), {
            "c-token-lifetime-controller": ["c-controller-0"],
            "c-token-lifetime-a": ["c-a-0", "c-a-1"],
        });
    });

    it("is set again for another config of a machine that is made anew, and not when it is no longer named", async () => {
        const { resources } = await create(1, [], { a: "hash" });
        const facts = resources
            .filter(({ type }) => type === "command:local:Command")
            .map(({ name, inputs, opts }) => [name, inputs.environment, opts.ignoreChanges]);
        assert.deepEqual(facts, [
            ["c-token-lifetime-controller", undefined, ["environment"]],
            ["c-token-lifetime-a", { MADE_ANEW: "hash" }, []],
        ]);
    });

    it("is never set again because of the date", async () => {
        const [before, after] = [await commandsOf(1), await commandsOf(1)];
        assert.deepEqual(
            before.map(({ inputs }) => inputs),
            after.map(({ inputs }) => inputs),
        );
    });
});
