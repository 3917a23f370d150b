import assert from "node:assert/strict";
import { requireNoHostName } from "../../../cluster/host-name-snippets";
import { type Config, compressed, config, file, link, render, unit } from "../../../ignition";

const check = (snippet: Config) => requireNoHostName("workerPools[0].snippets", "a", [render(snippet)]);
const script = (line: string) => config({ files: [file("/opt/name", `#!/bin/sh\nset -eu\n${line}\n`)] });
const service = (line: string) => config({ units: [unit("name.service", { contents: `[Service]\n${line}\n` })] });

describe("a snippet of machines that the cloud names", () => {
    const refused: readonly [string, Config, string][] = [
        ["the file /etc/hostname", config({ files: [file("/etc/hostname", "web\n")] }), "the file /etc/hostname"],
        ["a link there", config({ links: [link("/etc/hostname", "/srv/name")] }), "the file /etc/hostname"],
        [
            "a kernel argument",
            { ...config({}), kernelArguments: { shouldExist: ["quiet", "systemd.hostname=web"] } },
            "the kernel argument systemd.hostname",
        ],
        ["hostnamectl in a script", script("hostnamectl set-hostname web"), "in the file /opt/name"],
        ["its newer verb", script('  hostnamectl --static hostname "$name"'), "in the file /opt/name"],
        ["hostname in a script", script("[ -e /x ] && hostname web"), "in the file /opt/name"],
        ["hostname of a command", script('hostname "$(curl -s http://x/name)"'), "in the file /opt/name"],
        ["hostname after a condition", script("if true; then hostname $name; fi"), "in the file /opt/name"],
        ["a script that writes the file", script("echo web >/etc/hostname"), "in the file /opt/name"],
        ["a script that writes it through tee", script("echo web | tee -a /etc/hostname"), "in the file /opt/name"],
        ["a compressed script", compressed(script(`${"# long\n".repeat(99)}hostname web`)), "in the file /opt/name"],
        ["a unit", service("ExecStart=/usr/bin/hostnamectl set-hostname web"), "in the unit name.service"],
        ["a unit's shell", service("ExecStart=-/bin/sh -c 'hostname web'"), "in the unit name.service"],
        ["a unit without a shell", service("ExecStartPre=-/usr/bin/hostname web"), "in the unit name.service"],
        ["continued lines of a unit", service("ExecStart=hostnamectl \\\n  hostname web"), "in the unit name.service"],
        [
            "a drop-in",
            config({
                units: [
                    unit("x.service", {
                        dropins: [{ name: "a.conf", contents: "[Service]\nExecStartPost=hostname web\n" }],
                    }),
                ],
            }),
            "in the unit x.service",
        ],
        ...["hostname: web", "  fqdn: web.example", "preserve_hostname: true"].map((line): [string, Config, string] => [
            `cloud-init's ${line}`,
            config({ files: [file("/etc/cloud/cloud.cfg.d/99-name.cfg", `#cloud-config\n${line}\n`)] }),
            `in the file /etc/cloud/cloud.cfg.d/99-name.cfg`,
        ]),
    ];
    for (const [what, snippet, place] of refused) {
        it(`is refused with ${what}`, () => {
            const reason = "the cloud names each machine of the pool a and its node";
            assert.throws(
                () => check(snippet),
                ({ message }: Error) =>
                    message.startsWith(
                        `workerPools[0].snippets[0] must not set a host name, because ${reason} (got `,
                    ) && message.includes(place),
            );
        });
    }

    const accepted: Readonly<Record<string, Config>> = {
        "reads the name": script(
            "name=$(hostname)\nhostname -f\nhostnamectl status\nhostnamectl hostname\nuname -n\ncat /etc/hostname",
        ),
        "speaks of it": script("# hostname web\necho the hostname is $(uname -n)\ncurl --hostname x"),
        "uses a specifier": service("Environment=NAME=%H\nExecStart=/opt/agent --hostname %H --set hostname=x"),
        "has another program's settings": config({ files: [file("/etc/frr/frr.conf", "hostname router\n")] }),
        "keeps cloud-init's default": config({
            files: [file("/etc/cloud/cloud.cfg.d/1.cfg", "preserve_hostname: false\n")],
        }),
        "adds to /etc/hosts": config({ files: [file("/etc/hosts", "10.0.0.1 web\n")] }),
    };
    for (const [what, snippet] of Object.entries(accepted)) {
        it(`is accepted if it ${what}`, () => check(snippet));
    }
});
