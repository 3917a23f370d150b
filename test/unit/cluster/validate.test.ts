import assert from "node:assert/strict";
import { parseTaint } from "../../../cluster/labels";
import {
    conflictsWith,
    invalid,
    mustNot,
    requireCount,
    requireDnsLabel,
    requireDnsName,
    requireLabels,
    requireOneOf,
    requires,
} from "../../../cluster/validate";

describe("invalid", () => {
    for (const [value, shown] of [
        ["x", "x"],
        ["", '""'],
        [undefined, "undefined"],
        [["a"], '["a"]'],
        [Number.NaN, "NaN"],
        [3n, "3"],
        [[1, -Infinity, 3n], '[1,"-Infinity","3"]'],
    ] as const) {
        it(`shows ${shown} as it was given`, () => {
            assert.equal(invalid("option", "legal", value).message, `option must be legal (got ${shown})`);
        });
    }

    for (const [value, shown] of [
        ["https://ann:hunter2@example/a", "https://...@example/a"],
        ["https://ann:hunt/er2@example", "https://...@example"],
        ["tcp://hunter2@example:1", "tcp://...@example:1"],
        ["ann:hunter2@example:8080", "...@example:8080"],
        [{ a: "https://ann:hunter2@b", c: "http://hunter2@d" }, '{"a":"https://...@b","c":"http://...@d"}'],
        ["a -----BEGIN EC PRIVATE KEY-----\nhunter2", "a private key"],
        ["quay.io/a/b:c@sha256:d", "quay.io/a/b:c@sha256:d"],
        ["b:c@sha256:d", "b:c@sha256:d"],
        ["x".repeat(301), `${"x".repeat(300)}…`],
    ] as const) {
        it(`shows no login, key or whole file: ${shown.slice(0, 50)}`, () => {
            const errors = [invalid("a", "b", value), mustNot("a", "b", value), requires("a", "b", value)];
            for (const { message } of [...errors, conflictsWith("a", "b", value)]) {
                assert.equal(/ \(got (.*)\)$/.exec(message)?.[1], shown);
            }
        });
    }
});

describe("parseTaint", () => {
    const cases: [string, object][] = [
        ["gpu=yes:NoSchedule", { key: "gpu", value: "yes", effect: "NoSchedule" }],
        ["example.com/slow:PreferNoSchedule", { key: "example.com/slow", value: "", effect: "PreferNoSchedule" }],
        ["a=:NoExecute", { key: "a", value: "", effect: "NoExecute" }],
    ];
    for (const [text, taint] of cases) it(`reads ${text}`, () => assert.deepEqual(parseTaint("taint", text), taint));

    for (const text of [
        "",
        "a",
        "a=b",
        ":NoSchedule",
        "a:Never",
        "a=b c:NoSchedule",
        "a=b:NoSchedule:x",
        "-a:NoSchedule",
    ]) {
        it(`refuses ${JSON.stringify(text)}`, () => {
            assert.throws(() => parseTaint("taint", text), {
                message: `taint must be key=value:Effect with an effect of NoSchedule, PreferNoSchedule, NoExecute (got ${text || '""'})`,
            });
        });
    }
});

describe("names", () => {
    const long = "a".repeat(64);
    for (const name of ["A", "-a", "a-", "1a", "a_b", "a.b", long, ""]) {
        it(`are refused as a DNS label: ${JSON.stringify(name)}`, () => {
            assert.throws(() => requireDnsLabel("name", name), /^Error: name must be a DNS label/);
        });
    }
    it("may have 63 characters, digits and dashes", () => {
        requireDnsLabel("name", long.slice(1));
        requireDnsLabel("name", "a-1");
    });
    it("of domains are labels with dots, 253 characters at most", () => {
        requireDnsName("domain", "a.b-c.example");
        for (const name of ["3cx.example.com", "1password.example", "9.cluster.local", "xn--bcher-kva.example"]) {
            requireDnsName("domain", name);
        }
        for (const name of ["10.0.0.1", "a.1", "a..b", ".a", "a.", "A.b", `${"a.".repeat(127)}a`]) {
            assert.throws(() => requireDnsName("domain", name), /^Error: domain must be a lower-case DNS name/, name);
        }
    });
});

describe("values", () => {
    it("are one of those that are legal", () => {
        assert.equal(requireOneOf("count", [1, 3], 3), 3);
        assert.throws(() => requireOneOf("count", [1, 3], "3"), { message: "count must be one of 1, 3 (got 3)" });
    });
    it("that count are whole, and neither negative nor too many", () => {
        requireCount("count", 0, 5);
        requireCount("count", 5, 5);
        for (const value of [-1, 1.5, 6, Number.NaN]) {
            assert.throws(() => requireCount("count", value, 5), /^Error: count must be a whole number from 0 to 5/);
        }
    });
});

describe("labels", () => {
    it("are those that a kubelet may set on its own node", () => {
        requireLabels("labels", {
            "example.com/a": "b",
            "node.kubernetes.io/a": "",
            "kubelet.kubernetes.io/a": "c_d.e",
        });
    });
    for (const [labels, message] of [
        [{ "a b": "" }, "a key of labels must be a Kubernetes label key (got a b)"],
        [{ a: "b c" }, "labels.a must be a Kubernetes label value (got b c)"],
        [{ a: "b".repeat(64) }, `labels.a must be a Kubernetes label value (got ${"b".repeat(64)})`],
    ] as [Record<string, string>, string][]) {
        it(`are refused: ${message}`, () => assert.throws(() => requireLabels("labels", labels), { message }));
    }
    for (const key of ["kubernetes.io/a", "node-role.kubernetes.io/control-plane", "a.k8s.io/b"]) {
        it(`of Kubernetes' own, such as ${key}, are refused: NodeRestriction would`, () => {
            assert.throws(() => requireLabels("labels", { [key]: "" }), {
                message: `a key of labels must be one that a kubelet may set on its own node (in kubernetes.io and k8s.io: node.kubernetes.io/…, kubelet.kubernetes.io/…, topology.kubernetes.io/zone and region) (got ${key})`,
            });
        });
    }
});
