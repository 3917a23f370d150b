import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renamedTo, showsDebug, takeName, withConfigFile } from "../../../dev/pulumi";
import { pulumiEnv } from "../../../local/pulumi";
import { refreshes } from "../../../local/require-api";
import { clusterState } from "../../../local/state";

describe("npm run pulumi", () => {
    const names: [string, string, string][] = [
        ["preview --diff", "local", "preview --diff"],
        ["preview --name a --diff", "a", "preview --diff"],
        ["--name=b stack output", "b", "stack output"],
        ["stack output --name c", "c", "stack output"],
    ];
    for (const [args, name, rest] of names) {
        it(`uses the cluster ${name} for ${args}`, () => {
            assert.deepEqual(takeName(args.split(" ")), { name, rest: rest.split(" ") });
        });
    }

    it("rejects an invalid name", () => {
        assert.throws(() => takeName(["--name"]), /--name must be a DNS label .* \(got ""\)/);
    });

    it("lets the program send debug messages if they are shown", () => {
        for (const args of ["preview --debug", "up -d", "up -yd", "up -v=9", "preview -j", "up --event-log=f"]) {
            assert.ok(showsDebug(args.split(" ")), args);
        }
        for (const args of ["preview --diff", "up -y", "stack output --show-secrets", "destroy"]) {
            assert.ok(!showsDebug(args.split(" ")), args);
        }
    });

    it("finds the new name of a stack", () => {
        for (const [args, name] of [
            ["stack rename blue", "blue"],
            ["stack rename --stack blue local", "local"],
            ["stack rename -s=blue local --non-interactive", "local"],
            ["stack rename", undefined],
            ["stack ls", undefined],
            ["up --yes", undefined],
        ] as const) {
            assert.equal(renamedTo(args.split(" ")), name, args);
        }
    });

    it("checks the API before any refresh", () => {
        for (const args of ["refresh", "refresh --yes", "up --refresh", "up -r", "up -yr", "preview --refresh=true"]) {
            assert.ok(refreshes(args.split(" ")), args);
        }
        for (const args of [
            "up",
            "up --refresh=false",
            "preview --diff",
            "stack output --refresh",
            "up --replace urn",
        ]) {
            assert.ok(!refreshes(args.split(" ")), args);
        }
        assert.ok(!refreshes(["destroy", "--refresh"]), "a dead cluster must not keep its stack from being destroyed");
    });

    it("reads the configuration stored with the state", () => {
        assert.deepEqual(withConfigFile(["config", "set", "a", "b"], "/s/Pulumi.local.yaml"), [
            ...["config", "--config-file", "/s/Pulumi.local.yaml", "set", "a", "b"],
        ]);
    });

    it("does not change commands without a configuration file, or with a given one", () => {
        for (const args of [["stack", "output"], ["preview", "--config-file=mine.yaml"], []]) {
            assert.deepEqual(withConfigFile(args, "/s/Pulumi.local.yaml"), args);
        }
    });
});

describe("the environment of the Pulumi CLI", () => {
    const state = clusterState("local");
    const env = pulumiEnv(state, [], {
        PATH: "/bin",
        PULUMI_ACCESS_TOKEN: "mine",
        PULUMI_CONFIG_PASSPHRASE: "mine",
        PULUMI_BACKEND_URL: "https://elsewhere",
        HOME: "/home/me",
    });

    it("uses only the local stack and its own passphrase", () => {
        assert.equal(env.PULUMI_BACKEND_URL, `file://${state.backend}?metadata=skip`);
        assert.equal(env.PULUMI_STACK, "local");
        assert.equal(env.PULUMI_CONFIG_PASSPHRASE_FILE, state.passphrase);
    });

    it("contains no login or passphrase of the user, which would take precedence", () => {
        assert.equal(env.PULUMI_ACCESS_TOKEN, undefined);
        assert.equal(env.PULUMI_CONFIG_PASSPHRASE, undefined);
        assert.equal(env.HOME, "/home/me");
    });

    it("uses no plugins on PATH, whose version Pulumi would not check", () => {
        assert.equal(env.PULUMI_IGNORE_AMBIENT_PLUGINS, "true");
    });

    it("keeps calls of the API from a proxy of the user's", () => {
        const dir = mkdtempSync(join(tmpdir(), "tradewind-env-"));
        try {
            const own = { ...state, config: join(dir, "Pulumi.local.yaml") };
            const of = (base: NodeJS.ProcessEnv) => {
                const { NO_PROXY, no_proxy } = pulumiEnv(own, [], base);
                return [NO_PROXY, no_proxy];
            };
            assert.deepEqual(of({ NO_PROXY: "a" }), ["a", undefined]);
            assert.equal(of({ https_proxy: "http://p" })[0], "localhost,127.0.0.1");
            writeFileSync(own.config, "config:\n  tradewind:machineCidr: 172.30.7.0/24\n");
            const all = "a,.b,localhost,127.0.0.1,172.30.7.0/24";
            assert.deepEqual(of({ HTTPS_PROXY: "http://p", no_proxy: "a,.b" }), [all, all]);
        } finally {
            rmSync(dir, { recursive: true });
        }
    });

    it("uses only the cluster's plugins, once it has any", () => {
        const dir = mkdtempSync(join(tmpdir(), "tradewind-env-"));
        try {
            const own = { ...state, dir };
            assert.match(pulumiEnv(own, [], {}).PULUMI_HOME!, /pulumi-home$/);
            assert.notEqual(pulumiEnv(own, [], {}).PULUMI_HOME, join(dir, "pulumi-home"));
            mkdirSync(join(dir, "pulumi-home"));
            assert.equal(pulumiEnv(own, [], {}).PULUMI_HOME, join(dir, "pulumi-home"));
        } finally {
            rmSync(dir, { recursive: true });
        }
    });

    it("drops resources of an unreachable cluster only when destroying the whole stack", () => {
        const forgets = (command: string) =>
            pulumiEnv(state, command.split(" "), { PULUMI_K8S_DELETE_UNREACHABLE: "true" })
                .PULUMI_K8S_DELETE_UNREACHABLE;
        for (const command of ["destroy --yes", "down", "dn", "--non-interactive destroy --skip-preview"]) {
            assert.equal(forgets(command), "true", command);
        }
        const others = [
            "up",
            "refresh --yes",
            "up --refresh",
            "preview",
            "stack output destroy",
            "destroy --target urn",
        ];
        for (const command of [...others, "destroy --exclude-protected", "destroy -t urn", ""]) {
            assert.equal(forgets(command), "false", command);
        }
    });

    it("puts this Node and the cached CLI first on PATH", () => {
        assert.match(env.PATH!, /^[^:]*pulumi[^:]*:[^:]+:\/bin$/);
    });
});
