import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { placeholderToken } from "../../../../cluster/manifests/nodes/bootstrap-tokens";
import { resolveCluster } from "../../../../cluster/resolve";
import { MachineTokens, type NamedMachine } from "../../../../components/pki/machine-tokens";
import { Pki } from "../../../../components/pki/pki";
import { SizeTurns } from "../../../../components/rolling-resize/hooks";
import { Recreation } from "../../../../components/rolling-resize/recreation";
import { deploy, resolved } from "../../deploy";
import { Created } from "../in-cluster/owned-in-cluster";
import { providerOutputs } from "../in-cluster/provider-outputs";

const cluster = resolveCluster({ name: "c", workerPools: [{ name: "a", count: 2 }] });
const machines: readonly NamedMachine[] = [
    { pool: "controller", node: "c-controller-0" },
    { pool: "a", node: "c-a-0" },
    { pool: "a", node: "c-a-1" },
];

interface Described {
    /** Expiry of the tokens; unknown if omitted. */
    readonly end?: string;
    readonly of?: readonly NamedMachine[];
    readonly recreate?: readonly string[];
    readonly config?: string;
    readonly isPreview?: boolean;
}

async function create({
    end = "2030-01-01T00:00:00.000Z",
    of = machines,
    recreate: madeAnew = [],
    config,
    isPreview,
}: Described = {}) {
    const program = () => {
        const pki = new Pki("c", { cluster, pools: ["controller", "a"] });
        const tokens = new MachineTokens(
            "c",
            pki,
            new Created("owner"),
            new Recreation(madeAnew, new SizeTurns("c", "size")),
        );
        const joining = of.map((each) =>
            tokens.joiningOf(each, ({ bootstrapToken }) => [bootstrapToken, config, each.node]),
        );
        return { pki, joining };
    };
    const outputs: typeof providerOutputs = (resource) =>
        resource.type === "command:local:Command"
            ? isPreview
                ? {}
                : { stdout: `${end}\n` }
            : providerOutputs(resource);
    const { result, resources } = await deploy(program, { outputs, isPreview });
    const commands = resources.filter(({ type }) => type === "command:local:Command");
    return { ...result, commands, tokens: await Promise.all(result.joining.map(resolved)) };
}

describe("the tokens of machines", () => {
    it("are one per machine, each with its own expiry", async () => {
        const { tokens, pki, commands } = await create();
        const texts = tokens.map(({ bootstrapToken }) => bootstrapToken);
        assert.equal(new Set(texts).size, machines.length);
        assert.deepEqual(
            commands.map(({ name }) => name),
            ["c-token-lifetime-controller-0", "c-token-lifetime-a-0", "c-token-lifetime-a-1"],
        );
        for (const [index, { pool, node, token, end }] of pki.tokens.entries()) {
            assert.deepEqual({ pool, node }, machines[index]);
            assert.equal(await resolved(token), texts[index]);
            assert.equal(await pulumi.isSecret(token), true);
            assert.equal(await resolved(end!), "2030-01-01T00:00:00.000Z");
        }
    });

    it("are others when their time begins again, so that one that was copied is never good again", async () => {
        const [first, second] = [await create(), await create({ end: "2031-01-01T00:00:00.000Z" })];
        for (const [index, { bootstrapToken }] of first.tokens.entries()) {
            assert.notEqual(bootstrapToken, second.tokens[index]!.bootstrapToken);
        }
    });

    it("are unchanged when other machines of their pool are added or removed", async () => {
        const [all, some] = [await create(), await create({ of: machines.slice(0, 2) })];
        assert.deepEqual(some.tokens, all.tokens.slice(0, 2));
        assert.deepEqual(
            some.commands.map(({ inputs }) => inputs),
            all.commands.slice(0, 2).map(({ inputs }) => inputs),
        );
    });

    it("are renewed with another config of a machine to be replaced, and not when it is no longer listed", async () => {
        const facts = async (config: string) =>
            Object.fromEntries(
                (await create({ recreate: ["c-a-0"], config })).commands.map(({ name, inputs, opts }) => [
                    name.replace("c-token-lifetime-", ""),
                    { hash: inputs.environment?.MADE_ANEW, ignored: opts.ignoreChanges },
                ]),
            );
        const [before, same, after] = [await facts("x"), await facts("x"), await facts("y")];
        const others = { hash: undefined, ignored: ["environment"] };
        assert.deepEqual([before["controller-0"], before["a-1"]], [others, others]);
        assert.match(String(before["a-0"]!.hash), /^[0-9a-f]{16}$/);
        assert.deepEqual(before["a-0"]!.ignored, []);
        assert.deepEqual(before, same);
        assert.notEqual(before["a-0"]!.hash, after["a-0"]!.hash);
    });

    it("do not hide the rest of a machine's config in a preview that does not know them yet", async () => {
        const { tokens } = await create({ isPreview: true });
        assert.deepEqual(
            tokens.map(({ bootstrapToken }) => bootstrapToken),
            machines.map(() => placeholderToken),
        );
    });

    it("never begin again because of the date", async () => {
        const [before, after] = [await create(), await create()];
        assert.deepEqual(
            before.commands.map(({ inputs }) => inputs),
            after.commands.map(({ inputs }) => inputs),
        );
    });
});
