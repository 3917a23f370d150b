import assert from "node:assert/strict";
import type { ClusterOptions } from "../../../cluster/options";
import { resolveCluster } from "../../../cluster/resolve";
import { withoutByteOrderMarks } from "../../../ignition";
import { simulatorCa } from "../../../simulator/clouds/services/simulator-ca";

/** Options that are usually the contents of a file, by what the file is. */
const files: Readonly<Record<string, (contents: (text: string) => string) => Partial<ClusterOptions>>> = {
    "a snippet of controllers": (contents) => ({
        controllers: { snippets: [contents('{"ignition":{"version":"3.5.0"}}')] },
    }),
    "a snippet of a pool": (contents) => ({
        workerPools: [{ name: "a", snippets: [contents('{"ignition":{"version":"3.5.0"}}')] }],
    }),
    "a part of a Corefile": (contents) => ({
        network: { dns: { serverBlocks: contents("corp.example {\n    whoami\n}\n") } },
    }),
    "an audit policy": (contents) => ({
        controlPlaneFiles: { kubeApiserver: { files: { "policy.yaml": contents("kind: Policy\n") } } },
    }),
    "the CA of a registry": (contents) => ({
        registryMirrors: [
            { registry: "docker.io", urls: ["https://mirror.example"], ca: contents(simulatorCa().certificate) },
        ],
    }),
    "the CA of an issuer of tokens": (contents) => ({
        authentication: {
            jwt: [
                {
                    issuer: {
                        url: "https://issuer.example",
                        audiences: ["a"],
                        certificateAuthority: contents(simulatorCa().certificate),
                    },
                    claimMappings: { username: { claim: "sub", prefix: "" } },
                },
            ],
        },
    }),
};

describe("a file with a byte order mark", () => {
    for (const [what, optionsOf] of Object.entries(files)) {
        it(`is read as without it if it is ${what}`, () => {
            const [marked, plain] = ["\uFEFF", ""].map((mark) =>
                resolveCluster({ name: "c", ...optionsOf((text) => mark + text) }),
            );
            assert.deepEqual(marked, plain);
        });
    }

    it("changes nothing but text, and that only at its beginning", () => {
        const others = { date: new Date(0), list: [1, null, undefined, true], text: "a\uFEFFb" };
        assert.deepEqual(withoutByteOrderMarks(others), others);
        assert.equal(withoutByteOrderMarks(others).date, others.date);
    });
});
