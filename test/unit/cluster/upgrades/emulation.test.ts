import assert from "node:assert/strict";
import { addressAnnotation } from "../../../../clients/kubernetes/loopback";
import {
    emulates,
    emulating,
    emulationSteps,
    runsAs,
    type Stepping,
    steppedFlags,
    type Template,
} from "../../../../cluster/upgrades/emulation";

const at = (apiserver: string, controllers = apiserver, hasNewer = false): Stepping => ({
    ...{ apiserver, controllers, hasNewer },
});

/** In short: `a1.35` if kube-apiserver emulates 1.35. */
const steps = (from: Stepping, to: string) => emulationSteps(from, to).map(({ of, as }) => `${of[0]}${as}`);

describe("the way over several minor versions", () => {
    const cases: Readonly<Record<string, readonly [Stepping, string, readonly string[]]>> = {
        "forward by three": [at("1.34"), "1.37", ["a1.34", "a1.35", "c1.35", "a1.36", "c1.36"]],
        "forward by two": [at("1.34"), "1.36", ["a1.34", "a1.35", "c1.35"]],
        "forward by one": [at("1.35"), "1.36", []],
        nowhere: [at("1.36"), "1.36", []],
        "on from kube-apiserver, whose version emulates the old one": [
            at("1.34", "1.34", true),
            "1.37",
            ["a1.35", "c1.35", "a1.36", "c1.36"],
        ],
        "on from controllers that are one behind": [at("1.35", "1.34", true), "1.37", ["c1.35", "a1.36", "c1.36"]],
        "on from the last one but controllers": [at("1.36", "1.35", true), "1.37", ["c1.36"]],
        "back by three": [at("1.37", "1.37", true), "1.34", ["c1.36", "a1.36", "c1.35", "a1.35"]],
        "back by one": [at("1.37", "1.37", true), "1.36", []],
        "back from where it was interrupted": [at("1.37", "1.36", true), "1.34", ["a1.36", "c1.35", "a1.35"]],
        "back from a way forward": [at("1.35", "1.34", true), "1.34", []],
    };
    for (const [what, [from, to, expected]] of Object.entries(cases)) {
        it(`is a list of rollouts: ${what}`, () => assert.deepEqual(steps(from, to), expected));
    }

    it("never has neighbours that Kubernetes does not support", () => {
        for (const [from, to] of [
            [at("1.34"), "1.37"],
            [at("1.37", "1.37", true), "1.34"],
        ] as const) {
            let [a, c] = [from.apiserver, from.controllers].map((minor) => Number(minor.slice(2))) as [number, number];
            for (const step of [...emulationSteps(from, to)]) {
                const next = Number(step.as.slice(2));
                if (step.of === "apiserver") {
                    assert.ok(Math.abs(next - a) <= 1);
                    a = next;
                } else c = next;
                assert.ok(c <= a && a - c <= 1, `kube-apiserver ${a}, controllers ${c}`);
            }
            assert.ok(Math.abs(a - Number(to.slice(2))) === 1 && a === c);
        }
    });
});

describe("a pod template that emulates another version", () => {
    const address = "127.64.1.2";
    const template = (...flags: string[]): Template => ({
        metadata: { annotations: { [addressAnnotation]: address } },
        spec: {
            containers: [
                {
                    name: "kube-apiserver",
                    image: "registry.k8s.io/kube-apiserver:v1.34.4@sha256:00",
                    command: ["kube-apiserver", `--bind-address=${address}`, ...flags],
                },
                { name: "haproxy", image: "haproxy:3", command: ["sh", "-c", `bind ${address}:1`] },
            ],
        },
    });
    const image = "registry.k8s.io/kube-apiserver:v1.37.2";
    const first = emulating("kube-apiserver", template(), { as: "1.34", image, floor: "1.34" });

    it("has the newer image, both flags once, and an address of its own in all containers", () => {
        const own = first.metadata!.annotations![addressAnnotation]!;
        assert.notEqual(own, address);
        const { containers } = emulating("kube-apiserver", first, { as: "1.35", floor: "1.34" }).spec;
        assert.ok(!JSON.stringify(first).includes(address));
        assert.ok(!JSON.stringify(containers).includes(own));
        assert.deepEqual(
            [containers[0]!.image, ...containers[0]!.command!.slice(2)],
            [image, "--emulated-version=1.35", "--min-compatibility-version=1.34"],
        );
    });

    it("keeps the oldest version that can read everything on the way back", () => {
        const back = emulating("kube-apiserver", template("--min-compatibility-version=1.34"), { as: "1.36" });
        const flags = ["--min-compatibility-version=1.34", "--emulated-version=1.36"];
        assert.deepEqual(back.spec.containers[0]!.command!.slice(2), flags);
    });

    it("is known by what it runs as", () => {
        assert.deepEqual(runsAs("kube-apiserver", template()), { version: "1.34.4", minor: "1.34" });
        assert.deepEqual(runsAs("kube-apiserver", first), { version: "1.37.2", minor: "1.34" });
        assert.deepEqual(
            [template(), first].map((each) => emulates("kube-apiserver", each)),
            [false, true],
        );
    });

    it("would not start with flags, gates or APIs that a version on the way does not have", () => {
        const running = template("--nonsense=1", "--feature-gates=NoSuchGate=true,AllAlpha=false", "--v=2");
        const messages = steppedFlags("kube-apiserver", running, ["1.35", "1.36"]).map(({ message }) => message);
        const what = "must be removed from kube-apiserver before several minor versions at once";
        assert.deepEqual(messages, [
            `nonsense (not in 1.36) ${what}`,
            `feature-gates=NoSuchGate (not in 1.35) ${what}`,
            `feature-gates=NoSuchGate (not in 1.36) ${what}`,
        ]);
        assert.deepEqual(steppedFlags("kube-apiserver", template(), ["1.35", "1.36"]), []);
    });
});
