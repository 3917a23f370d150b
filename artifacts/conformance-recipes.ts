import { versions } from "../versions";
import { conformanceRootItem, filePlace, filesOfTests, SHELL } from "./conformance-items";
import type { Layer } from "./layer";
import { applet, base, busybox, busyboxCommands, PATH } from "./layers";
import { e2eTests, parts } from "./lock";
import { itemId } from "./part-items";
import { etcdRecipe, program, type Recipe } from "./recipes";

/** The registry folder of the tests' images. */
const E2E = "registry.k8s.io/e2e-test-images";

/** Commands of busybox that only the tests run. */
const moreCommands: Layer = {
    links: Object.fromEntries(
        [
            ...["basename", "chmod", "chown", "cmp", "diff", "dirname", "fallocate", "mkfifo", "mktemp", "more"],
            ...["hexdump", "killall", "readlink", "realpath", "rmdir", "setsid", "sha1sum"],
            ...["sha512sum", "stty", "sync", "sysctl", "tac", "tty", "uptime", "xxd"],
        ].map(applet),
    ),
};

/** Programs before commands of the same name that busybox's shell has built in, such as `nc`. */
const bash: Layer = { programs: ["/usr/bin/bash"], links: { "/usr/bin/sh": "bash" } };

/** For tests of busybox' own image, which compare its messages. */
const busyboxShell: Layer = { binaries: { "/usr/bin/sh": filePlace(SHELL) } };

/** Tools for DNS and sockets; busybox's `wget` crashes when it looks up a name. */
const tools: Layer = {
    programs: [
        ...["curl", "dig", "getent", "hostname", "ipcs", "iperf", "nc.openbsd", "nsenter", "wget"].map(
            (name) => `/usr/bin/${name}`,
        ),
        ...["/usr/bin/ip", "/usr/bin/ss"],
    ],
    links: { "/usr/bin/nc": "nc.openbsd" },
};

/** What several images start with. */
const common: readonly Layer[] = [base, busybox, busyboxCommands, moreCommands, bash];

const user = "user-defined-in-image";

const agnhostLayers: readonly Layer[] = [
    ...common,
    tools,
    {
        texts: {
            "/etc/passwd": `root:x:0:0:root:/root:/bin/sh\n${user}:x:1000:1000::/home/${user}:/bin/sh\n`,
            "/etc/group": `root:x:0:\n${user}:x:1000:\ngroup-defined-in-image:x:50000:${user}\n`,
        },
        links: { "/agnhost-2": "agnhost" },
        openFolders: ["/uploads"],
    },
    {
        binaries: {
            "/localhost.crt": filePlace("localhost.crt"),
            "/localhost.key": filePlace("localhost.key"),
        },
    },
    program(parts.coredns, "coredns", "/coredns"),
    program(e2eTests, "agnhost", "/agnhost"),
];

/** The images of Kubernetes' end-to-end tests under their official names, which none of these builds is published as. */
export function conformanceRecipes(): readonly Recipe[] {
    const tests = itemId(e2eTests, "e2e.test");
    const of = (image: string, layers: readonly Layer[], config: Recipe["config"], aliases: string[] = []): Recipe => ({
        image: `${E2E}/${image}`,
        aliases: aliases.map((alias) => `${E2E}/${alias}`),
        root: "conformance",
        needs: [conformanceRootItem.id, filesOfTests.id, tests, itemId(parts.coredns, "coredns")],
        layers,
        config: { Env: [PATH], ...config },
    });
    const webServer = { Entrypoint: ["/agnhost"], Cmd: ["test-webserver"] };
    const pet = (name: string): Layer => ({
        // The test of image volumes looks for this name.
        texts: { "/etc/os-release": 'NAME="Alpine Linux"\n' },
        binaries: { "/data.json": filePlace(`${name}.json`), [`/${name}.jpg`]: filePlace(`${name}.jpg`) },
    });
    return [
        of("agnhost:2.66.1", agnhostLayers, { Entrypoint: ["/agnhost"], Cmd: ["pause"] }, ["agnhost:2.55"]),
        of("kitten:1.8", [...agnhostLayers, pet("kitten")], webServer),
        of("nautilus:1.8", [...agnhostLayers, pet("nautilus")], webServer),
        of("busybox:1.37.0-2", [...common, busyboxShell], { Cmd: ["sh"] }),
        of("glibc-dns-testing:2.1.1", [...common, tools], { Cmd: ["sh"] }),
        of("nginx:1.27.0-2", [...common, nginx], { Cmd: ["nginx", "-g", "daemon off;"] }, ["nginx:1.28.0-2"]),
        of("nonewprivs:1.4", [...common, program(e2eTests, "nnp", "/usr/local/bin/nnp")], { Cmd: ["nnp"] }),
        of("sample-apiserver:1.29.2", [...common, program(e2eTests, "sample-apiserver", "/sample-apiserver")], {
            Entrypoint: ["/sample-apiserver"],
        }),
        // What that server stores in: Kubernetes' default, which is not ours.
        { ...etcdRecipe(versions.etcd), image: "registry.k8s.io/etcd:3.7.0-0", aliases: [] },
    ];
}

const nginx: Layer = {
    programs: ["/usr/sbin/nginx"],
    paths: ["/etc/nginx/mime.types", "/usr/share/nginx/html"],
    texts: {
        "/etc/nginx/nginx.conf": [
            "user root;",
            "error_log /dev/stderr;",
            "pid /run/nginx.pid;",
            "events {}",
            "http {",
            "    include mime.types;",
            "    access_log /dev/stdout;",
            "    server { listen 80; root /usr/share/nginx/html; }",
            "}",
            "",
        ].join("\n"),
    },
    openFolders: ["/run", "/var/lib/nginx", "/var/log/nginx"],
};
