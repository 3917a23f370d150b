import assert from "node:assert/strict";
import { hasConfigs, machineConfigs } from "../../../../cli/preview/machine-configs";
import { config, file, render } from "../../../../ignition";

const urn = (name: string) => `urn:pulumi:s::p::digitalocean:index/droplet:Droplet::${name}`;
const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secret = (value: unknown) => ({ ...signature, plaintext: JSON.stringify(value) });
const booting = (port: number, password: string) =>
    render(config({ files: [file("/etc/a", `port ${port}, password ${password}\n`, { mode: 0o644 })] }));
const planOf = (updates: Record<string, unknown>) => ({
    resourcePlans: Object.fromEntries(
        Object.entries(updates).map(([name, userData]) => [
            urn(name),
            { goal: { inputDiff: { updates: { userData } } } },
        ]),
    ),
});
const stateOf = (inputs: Record<string, object>) => ({
    deployment: {
        resources: Object.entries(inputs).map(([name, each]) => ({
            type: "a:b:C",
            urn: urn(name),
            inputs: { ...each },
        })),
    },
});

describe("node configs in a plan and a state with plain-text secrets", () => {
    const [before, after] = [booting(1, "correct horse"), booting(2, "correct horse")];
    const elsewhere = { data: secret({ password: Buffer.from("correct horse").toString("base64") }) };

    it("are listed once for all machines with the same changes, without secrets of the stack", () => {
        const plan = planOf({ a: secret(after), b: secret(after) });
        const state = stateOf({ a: { userData: secret(before) }, b: { userData: secret(before) }, elsewhere });
        assert.ok(hasConfigs(plan));
        assert.deepEqual(machineConfigs(plan, state), [
            {
                resources: ["a", "b"],
                changes: [
                    {
                        name: "/etc/a",
                        kind: "changed",
                        lines: [" mode 0644", "-port 1, password [secret]", "+port 2, password [secret]"],
                    },
                ],
            },
        ]);
    });

    it("show values that are also in plain text elsewhere, even if a secret record contains them", () => {
        const record = { record: secret({ address: "correct horse", key: "battery staple" }) };
        const state = stateOf({
            a: { userData: secret(before) },
            record,
            machine: { create: "--address correct horse" },
        });
        const [change] = machineConfigs(planOf({ a: secret(booting(2, "battery staple")) }), state);
        assert.deepEqual(change!.changes[0]!.lines, [
            " mode 0644",
            "-port 1, password correct horse",
            "+port 2, password [secret]",
        ]);
    });

    it("do not include new machines or other values", () => {
        assert.deepEqual(machineConfigs(planOf({ a: secret(after) }), stateOf({})), []);
        const plan = planOf({ a: secret("another password") });
        assert.deepEqual(machineConfigs(plan, stateOf({ a: { userData: secret("a password") } })), []);
        assert.ok(!hasConfigs(plan));
    });

    it("do not include references to a config", () => {
        const pointer = (hash: string) =>
            `{"ignition":{"version":"3.5.0","config":{"replace":{"source":"s3://b/${hash}"}}}}`;
        assert.ok(!hasConfigs(planOf({ a: pointer("1") })));
    });
});
