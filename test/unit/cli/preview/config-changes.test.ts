import assert from "node:assert/strict";
import { configChanges } from "../../../../cli/preview/machine-configs";
import { workerConfig } from "../../../../cluster/machines/worker";
import { type Config, config, directory, file, merge, render, toCloudInit, unit } from "../../../../ignition";
import { downloads, fakeCredentials, fixedCluster } from "../../components/in-cluster/fixture";
import { golden } from "../../golden";

const token = "abcdef.0123456789abcdef";
const own = (port: number, secret: string): Config =>
    config({
        directories: [directory(`/var/lib/of-${port}`)],
        files: [
            file("/etc/agent.conf", `port = ${port}\nname = c\n`, { mode: 0o644 }),
            file("/etc/agent.key", secret, { mode: 0o600 }),
            file("/usr/local/bin/agent", `#!/bin/sh\nexec agent --token ${token} --password ${secret} -p ${port}\n`, {
                mode: 0o755,
            }),
        ],
        units: [
            unit("agent.service", {
                enabled: port === 1,
                contents: `[Service]\nExecStart=/usr/local/bin/agent ${port}\n`,
            }),
        ],
    });

describe("the differences between node configs", () => {
    const secrets = ["first password", "second password"];
    const [before, after] = [own(1, secrets[0]!), own(2, secrets[1]!)];

    for (const [form, write] of Object.entries({ ignition: render, "cloud-init": toCloudInit })) {
        it(`are listed by file and unit, without secrets, for ${form}`, () => {
            const changes = configChanges(write(before), write(after), secrets);
            const text = JSON.stringify(changes);
            assert.doesNotMatch(text, /password"|first password|second password|0123456789abcdef/);
            golden(__dirname, `config-changes-${form}`, changes);
        });
    }

    it("do not show contents if only a secret changed, even in a world-readable file", () => {
        assert.deepEqual(configChanges(render(own(1, secrets[0]!)), render(own(1, secrets[1]!)), secrets), [
            { name: "/etc/agent.key", kind: "changed" },
            { name: "/usr/local/bin/agent", kind: "changed" },
        ]);
    });

    it("are empty for equal configs, and undefined for other values", () => {
        assert.deepEqual(configChanges(render(before), render(before), []), []);
        assert.equal(configChanges("#!/bin/sh\n", render(before), []), undefined);
        assert.equal(configChanges({ ignition: "on" }, { ignition: "off" }, []), undefined);
    });

    it("contain no passwords, and no credentials of URLs", () => {
        const withAccess = (part: string): Config =>
            merge(before, {
                ignition: { version: before.ignition.version },
                passwd: {
                    users: [{ name: "core", passwordHash: `$6$${part}`, sshAuthorizedKeys: [`ssh-ed25519 ${part}`] }],
                },
                storage: {
                    files: [
                        {
                            path: "/opt/a",
                            contents: { source: `https://user:${part}@example.com/${part}?X-Amz-Signature=${part}` },
                        },
                    ],
                },
            });
        const text = JSON.stringify(configChanges(render(withAccess("one")), render(withAccess("two")), []));
        assert.match(text, /-from https:\/\/example\.com\/one\?\[secret\]/);
        assert.match(text, /ssh-ed25519 two/);
        assert.doesNotMatch(text, /\$6\$|user:|Signature/);
    });

    it("show a new kubelet version in a worker's config", () => {
        const of = (kubernetes: string) => {
            const cluster = fixedCluster({ workerPools: [{ name: "default" }] });
            const { kubernetesCa, bootstrapTokens } = fakeCredentials(cluster);
            const versions = { ...cluster.versions, kubernetes };
            return workerConfig({ ...cluster, versions }, cluster.workerPools[0]!, {
                machine: { name: "c-default-0", address: "10.0.0.1" },
                downloads,
                ca: kubernetesCa.cert,
                bootstrapToken: bootstrapTokens.default!,
            });
        };
        golden(__dirname, "config-changes-worker", configChanges(render(of("1.99.0")), render(of("1.99.1")), []));
    });
});
