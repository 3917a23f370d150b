import assert from "node:assert/strict";
import type { PaperStack, Resource } from "../paper/paper-stack";
import { givenAway, givenAwayIn, type SecretValue, secretsOf } from "./secrets";

export interface Kept {
    readonly stack: PaperStack;
    readonly cloud: string;
    /** The input with nodes' configs, by the type of the resource. */
    readonly configs: readonly [type: string, input: string];
    /** Secrets of the configuration: the current ones and, with names that end with ` k`, earlier ones. */
    readonly given: readonly SecretValue[];
}

/** Tests that a deployed stack called `test` with pools `default` and `other` leaks no secrets. */
export function keepsSecrets(kept: () => Kept): void {
    let resources: readonly Resource[];
    let secrets: readonly SecretValue[];
    const namesOf = (value: unknown) => givenAway(JSON.stringify(value) ?? "", secrets);

    it("only has secrets known to this test, each of which is found in its place", async () => {
        const { stack, given } = kept();
        await stack.run("stack", "--show-urns");
        await stack.run("stack", "output", "--json");
        await stack.run("stack", "export");
        resources = await stack.resources();
        secrets = [...secretsOf(resources), ...given];
        const keys = resources.filter(({ type }) => type === "tls:index/privateKey:PrivateKey");
        const names = secrets.map(({ name }) => name);
        assert.deepEqual(names.filter((name) => name.startsWith("token ")).sort(), [
            "token test-token-controller",
            "token test-token-default",
            "token test-token-other",
        ]);
        const derived = names.filter((name) => name.startsWith("encryption "));
        assert.deepEqual(derived.sort(), ["encryption test-encryption", "encryption test-snapshot-encryption"]);
        assert.equal(secrets.length, keys.length + 3 + derived.length + given.length);
        const now = names.filter((name) => !name.endsWith(" k"));
        const others = resources.filter(({ type }) => !type.startsWith("tls:"));
        // Of the keys of tokens and of encryption, only what is derived from them is used.
        const desired = now.filter((name) => !/^key test-(token-|encryption|snapshot-encryption)/.test(name));
        assert.deepEqual(namesOf(others).sort(), desired.sort());
    });

    it("has none in plain text in the backend's files: state, history, backups", () => {
        const stored = kept().stack.stored();
        assert.ok(stored.length > 3, "no history was checked");
        assert.deepEqual(givenAwayIn(stored, secrets), []);
    });

    it("has none in the output of preview, up, stack, output and export, nor in debug logs", () => {
        const { printed } = kept().stack;
        assert.ok(
            printed.some(({ text }) => text.includes("RPC finished")),
            "no debug logs were checked",
        );
        assert.deepEqual(givenAwayIn(printed, secrets), []);
    });

    it("has them only in the kubeconfig among the stack's outputs", () => {
        const { outputs } = resources.find(({ type }) => type === "pulumi:pulumi:Stack")!;
        assert.deepEqual(
            Object.entries(outputs).flatMap(([name, value]) => namesOf(value).map((secret) => [name, secret])),
            [["kubeconfig", "key test-administrator"]],
        );
    });

    it("passes them to the cloud only in nodes' configs: a token each, and the receiver's key for the first controller", () => {
        const { cloud, configs } = kept();
        const [configType, configInput] = configs;
        const found = resources
            .filter(({ type }) => type.startsWith(`${cloud}:`))
            .flatMap(({ name, type, id, inputs, outputs }) => {
                const all = { ...outputs, ...inputs, name, id };
                return Object.entries(all).flatMap(([input, value]) => {
                    const what = type === configType && input === configInput ? name : `${name}: ${input}`;
                    return namesOf(value).map((secret) => `${what} has ${secret}`);
                });
            });
        // An object of the bucket may also be the name of a disk.
        const machines = resources
            .filter(({ type, name }) => type === configType && !name.endsWith("-etcd"))
            .map(({ name }) => name);
        const poolOf = (name: string) => /^test-(controller|default|other)/.exec(name)![1];
        const first = machines.filter((name) => name.startsWith("test-controller-0"));
        assert.equal(first.length, 1);
        assert.deepEqual(
            found.sort(),
            [
                ...machines.map((name) => `${name} has token test-token-${poolOf(name)}`),
                ...first.map((name) => `${name} has key test-bootstrap-receiver`),
            ].sort(),
        );
        for (const pool of ["controller", "default", "other"]) {
            assert.ok(
                machines.some((name) => poolOf(name) === pool),
                `no config of ${pool}`,
            );
        }
    });
}
