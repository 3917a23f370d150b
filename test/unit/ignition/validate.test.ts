import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import fc from "fast-check";
import { assertValid, validate } from "../../../ignition";
import { anyConfig } from "./arbitrary";

const base = { ignition: { version: "3.5.0" } };
const withFile = (fields: object) => ({ ...base, storage: { files: [{ path: "/a", ...fields }] } });
const withContents = (contents: object) => withFile({ contents });
const withUnit = (fields: object) => ({ ...base, systemd: { units: [{ name: "a.service", ...fields }] } });
const withStorage = (storage: object) => ({ ...base, storage });
const urls = "a URL of data: http: https: s3: arn: gs: tftp:";
const clean = "an absolute path without ., .. or redundant /";
const legalVersions = "ignition.version must be one of 3.0.0, 3.1.0, 3.2.0, 3.3.0, 3.4.0, 3.5.0";
const hashes = "sha256-<64 hex digits> or sha512-<128 hex digits>";

/** What is refused, and its only error. */
const refused: [what: string, value: object, message: string][] = [
    ["no version", { ignition: {} }, "ignition.version must be set (got nothing)"],
    ["nothing at all", null as never, "config must be object (got null)"],
    ["an unknown version", { ignition: { version: "3.5.1" } }, `${legalVersions} (got 3.5.1)`],
    ["a version as a number", { ignition: { version: 3.4 } }, `${legalVersions} (got 3.4)`],
    [
        "a config of Container Linux, in one sentence",
        {
            ignition: { version: "2.3.0" },
            networkd: {},
            storage: { files: [{ filesystem: "root", path: "/etc/x", mode: 420 }] },
        },
        `${legalVersions} (got 2.3.0): convert it with ign-converter`,
    ],
    ...["3.6.0", "3.6.0-experimental"].map((version): [string, object, string] => [
        `${version} of a newer Butane`,
        { ignition: { version }, other: {} },
        `${legalVersions} (got ${version}): lower the version in the Butane config`,
    ]),
    [
        "an unknown section",
        { ...base, disks: [] },
        "disks must be one of ignition, storage, systemd, passwd, kernelArguments (got disks)",
    ],
    [
        "an unknown key",
        withFile({ content: {} }),
        "storage.files[0].content must be one of path, overwrite, user, group, mode, contents, append (got content)",
    ],
    [
        "a key named as one of every object's",
        JSON.parse('{"ignition":{"version":"3.5.0"},"constructor":{}}'),
        "constructor must be one of ignition, storage, systemd, passwd, kernelArguments (got constructor)",
    ],
    ["a mode as text", withFile({ mode: "0644" }), 'storage.files[0].mode must be integer (got "0644")'],
    ["a mode out of range", withFile({ mode: 0o10000 }), "storage.files[0].mode must be from 0 to 0o7777 (got 4096)"],
    ["a negative mode", withFile({ mode: -1 }), "storage.files[0].mode must be from 0 to 0o7777 (got -1)"],
    ["a relative path", withFile({ path: "etc/x" }), `storage.files[0].path must be ${clean} (got etc/x)`],
    ["a path that climbs", withFile({ path: "/etc/../x" }), `storage.files[0].path must be ${clean} (got /etc/../x)`],
    ["a path with a needless slash", withFile({ path: "/x/" }), `storage.files[0].path must be ${clean} (got /x/)`],
    [
        "two names of one owner",
        withFile({ user: { id: 0, name: "root" } }),
        'storage.files[0].user must be an id or a name (got {"id":0,"name":"root"})',
    ],
    [
        "overwriting by nothing",
        withFile({ overwrite: true }),
        'storage.files[0].contents.source must be set where overwrite is true ("" for an empty file) (got nothing)',
    ],
    [
        "a foreign scheme",
        withContents({ source: "ftp://x" }),
        `storage.files[0].contents.source must be ${urls} (got ftp://x)`,
    ],
    [
        "a broken data URL",
        withContents({ source: "data:%zz" }),
        `storage.files[0].contents.source must be ${urls} (got data:%zz)`,
    ],
    [
        "a short hash",
        withContents({ source: "data:,", verification: { hash: "sha256-00" } }),
        `storage.files[0].contents.verification.hash must be ${hashes} (got sha256-00)`,
    ],
    [
        "the hash of other contents",
        withContents({ source: "data:,", verification: { hash: `sha256-${"0".repeat(64)}` } }),
        "storage.files[0].contents.verification.hash must be sha256-e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 (got sha256-0000000000000000000000000000000000000000000000000000000000000000)",
    ],
    [
        "a hash of nothing",
        withContents({ verification: { hash: `sha256-${"0".repeat(64)}` } }),
        "storage.files[0].contents.source must be set with a hash (got nothing)",
    ],
    [
        "a foreign compression",
        withContents({ source: "data:,", compression: "xz" }),
        "storage.files[0].contents.compression must be gzip (got xz)",
    ],
    [
        "headers for what is not fetched by HTTP",
        withContents({ source: "data:,", httpHeaders: [{ name: "A", value: "b" }] }),
        "storage.files[0].contents.source must be an http: or https: URL with httpHeaders (got data:,)",
    ],
    [
        "one path twice",
        withStorage({ files: [{ path: "/a" }], directories: [{ path: "/a" }] }),
        "storage.directories[0].path must be unique (storage.files[0] has it too) (got /a)",
    ],
    [
        "a file behind a link",
        withStorage({ files: [{ path: "/a/b" }], links: [{ path: "/a", target: "/c" }] }),
        "storage.files[0].path must not be below the link /a (got /a/b)",
    ],
    [
        "a hard link to a directory",
        withStorage({ directories: [{ path: "/d" }], links: [{ path: "/a", target: "/d", hard: true }] }),
        "storage.links[0].target must be a file, because the link is hard (got /d)",
    ],
    [
        "a link to nowhere",
        withStorage({ links: [{ path: "/a" }] }),
        "storage.links[0].target must be set (got nothing)",
    ],
    [
        "a file in a unit's place",
        { ...withFile({ path: "/etc/systemd/system/a.service" }), ...withUnitOnly({ contents: "[Unit]\n" }) },
        "storage.files[0].path must not be a file that systemd.units writes (got /etc/systemd/system/a.service)",
    ],
    [
        "a unit without type",
        withUnit({ name: "kubelet" }),
        "systemd.units[0].name must be a unit name with its type (service|socket|device|mount|automount|swap|target|path|timer|slice|scope) (got kubelet)",
    ],
    [
        "one unit twice",
        { ...base, systemd: { units: [{ name: "a.service" }, { name: "a.service" }] } },
        "systemd.units[1].name must be unique (systemd.units[0] has it too) (got a.service)",
    ],
    [
        "a drop-in that systemd ignores",
        withUnit({ dropins: [{ name: "x" }] }),
        "systemd.units[0].dropins[0].name must be a file name that ends in .conf (got x)",
    ],
    [
        "a unit's line without value",
        withUnit({ contents: "[Unit]\nDescription\n" }),
        "systemd.units[0].contents must be a unit file (got a line without =: Description)",
    ],
    [
        "an open section",
        withUnit({ dropins: [{ name: "1.conf", contents: "[Unit\n" }] }),
        "systemd.units[0].dropins[0].contents must be a unit file (got a section header that does not end its line: [Unit)",
    ],
    [
        "a key given to a user twice",
        { ...base, passwd: { users: [{ name: "core", sshAuthorizedKeys: ["k", "k"] }] } },
        "passwd.users[0].sshAuthorizedKeys[1] must be unique (passwd.users[0].sshAuthorizedKeys[0] has it too) (got k)",
    ],
    [
        "a kernel argument that must be and must not",
        { ...base, kernelArguments: { shouldExist: ["a"], shouldNotExist: ["a"] } },
        "kernelArguments.shouldNotExist[0] must be unique (kernelArguments.shouldExist[0] has it too) (got a)",
    ],
    [
        "a proxy that is none",
        { ignition: { version: "3.5.0", proxy: { httpProxy: "socks5://x" } } },
        "ignition.proxy.httpProxy must be an http: or https: URL (got socks5://x)",
    ],
    [
        "a config to merge from nowhere",
        { ignition: { version: "3.5.0", config: { merge: [{}] } } },
        "ignition.config.merge[0].source must be set (got nothing)",
    ],
    [
        "partitions over one another",
        withStorage({
            disks: [
                {
                    device: "/dev/x",
                    partitions: [
                        { number: 1, startMiB: 1, sizeMiB: 10 },
                        { number: 2, startMiB: 5, sizeMiB: 10 },
                    ],
                },
            ],
        }),
        "storage.disks[0].partitions[1].startMiB must be outside of the partitions before it (got 5)",
    ],
    [
        "an unknown filesystem",
        withStorage({ filesystems: [{ device: "/dev/x", format: "zfs" }] }),
        "storage.filesystems[0].format must be ext4 or btrfs or xfs or swap or vfat or none (got zfs)",
    ],
    [
        "an array without level",
        withStorage({ raid: [{ name: "r", devices: ["/dev/x"] }] }),
        "storage.raid[0].level must be one of linear, raid0, 0, stripe, raid1, 1, mirror, raid4, 4, raid5, 5, raid6, 6, raid10, 10 (got nothing)",
    ],
    [
        "an encrypted device with two kinds of keys",
        withStorage({
            luks: [{ name: "l", device: "/dev/x", keyFile: { source: "data:,k" }, cex: { enabled: true } }],
        }),
        'storage.luks[0].cex conflicts with clevis and keyFile (got {"enabled":true})',
    ],
];

function withUnitOnly(fields: object) {
    return { systemd: withUnit(fields).systemd };
}

describe("validate", () => {
    for (const [what, value, message] of refused) {
        it(`refuses ${what}`, () => {
            assert.deepEqual(validate(value as never), [message]);
            assert.throws(() => assertValid(value as never), { message });
        });
    }

    it("lists everything that is wrong, each with its path", () => {
        const value = withStorage({
            files: [{ path: "/a" }, { path: "b", mode: -1 }],
            links: [{ path: "/a", target: "/" }],
        });
        assert.deepEqual(
            validate(value as never).map((error) => error.split(" ")[0]),
            ["storage.files[1].path", "storage.files[1].mode", "storage.links[0].path"],
        );
    });

    it("refuses in an older specification what came later", () => {
        const value = (version: string) => ({
            ignition: { version },
            storage: { luks: [{ name: "l", device: "/dev/x", discard: true }] },
        });
        assert.match(validate(value("3.3.0"))[0]!, /^storage\.luks\[0\]\.discard must be one of .* \(got discard\)$/);
        assert.deepEqual(validate(value("3.4.0")), []);
    });

    it("takes unit files as systemd writes them", () => {
        const contents = [
            "# A comment \\",
            "that goes on",
            "[Unit]",
            "Description=x",
            "",
            "  [Service]",
            "ExecStart=/bin/x \\",
            "  [not a section \\",
            "  nor an option",
            "; done",
        ];
        assert.deepEqual(validate(withUnit({ contents: contents.join("\n") })), []);
    });

    it("takes what the builders make, as the published schemas do", () => {
        for (const version of ["3.3", "3.4", "3.5"]) {
            const file = join(__dirname, `../../../ignition/schema/v${version}.json`);
            const { $schema, ...schema } = JSON.parse(readFileSync(file, "utf8"));
            const isValid = new Ajv({ strict: false }).compile(schema);
            fc.assert(
                fc.property(anyConfig, (value) => {
                    assert.deepEqual(validate({ ...value, ignition: { version: `${version}.0` } }), []);
                    assert(isValid(value), JSON.stringify(isValid.errors));
                }),
            );
        }
    });
});
