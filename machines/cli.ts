import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { type Commands, command, commandGroup } from "../command-line/command";
import {
    choice,
    flag,
    matching,
    type Options,
    required,
    UsageError,
    type Values,
    value,
    wholeNumber,
} from "../command-line/parse";
import { startBootstrap, waitForBootstrap } from "./bootstrap";
import { createNetwork, destroyCluster, destroyNetwork, list } from "./cluster";
import { execInteractive } from "./docker";
import { ensureEngine } from "./engine";
import { destroyLoadBalancer, ensureLoadBalancer } from "./load-balancer";
import { collectLogs } from "./logs";
import { consoleLog, createMachine, destroyMachine, powerOn, requireMachine } from "./machine";
import { requireNetwork } from "./network";
import { OS_LIKES } from "./os-like";
import { powerCut, powerOff, reboot } from "./power";
import { requireFit } from "./preflight";
import { overlaps } from "./subnets";

const LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
const BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = `${BYTE}(\\.${BYTE}){3}`;

/** The legal values of options. */
export const LEGAL = {
    label: matching("a DNS label of at most 63 letters, digits and hyphens", new RegExp(`^${LABEL}$`)),
    domain: matching("a DNS name", new RegExp(`^${LABEL}(\\.${LABEL})*$`)),
    subnet: matching("an IPv4 subnet that ends in .0/24", new RegExp(`^${BYTE}(\\.${BYTE}){2}\\.0/24$`)),
    subnet6: matching("an IPv6 subnet that ends in ::/64", /^[0-9a-f]{1,4}(:[0-9a-f]{1,4}){0,3}::\/64$/),
    address: matching("an IPv4 address", new RegExp(`^${IPV4}$`)),
    address6: matching("an IPv6 address", /^[0-9a-f:]*:[0-9a-f:]*$/),
    addresses: matching("IPv4 addresses, separated by commas", new RegExp(`^${IPV4}(,${IPV4})*$`)),
    memory: matching("a size such as 512m or 4g", /^\d+[kmg]$/),
    port: wholeNumber(1024, 65_535, "a port from 1024 to 65535"),
};

/** Throws unless the address is in the subnet and is not one of the reserved first ones. */
export function checkAddress(address: string, subnet: string, firstFree: number): void {
    const host = Number(address.split(".")[3]);
    if (!overlaps(address, subnet) || host < firstFree || host > 254) {
        const prefix = subnet.split(".").slice(0, 3).join(".");
        throw new UsageError(`--address must be one of ${prefix}.${firstFree} to ${prefix}.254 (got ${address})`);
    }
}

const cluster = required(value("C", "the cluster", LEGAL.label));
const name = required(value("N", "the machine", LEGAL.label));
const address = required(value("IP", "its address in the cluster's network", LEGAL.address));
const timeout = value("SECONDS", "how long to wait", wholeNumber(1, 999_999, "a number of seconds"), { default: 900 });

/** @param act - resolves to the exit code if that is a number */
function verb<const O extends Options>(
    summary: string,
    options: O,
    act: (options: Values<O>, words: readonly string[]) => Promise<unknown>,
    words?: readonly [name: string, about: string],
): Commands[string] {
    const run = async (values: Values<O>, given: readonly string[]) => {
        if (words !== undefined && given.length === 0) throw new UsageError("missing command after --");
        const { version, startedWithLog } = await ensureEngine();
        if (startedWithLog) {
            console.error(`started the Docker engine ${version} (log: ${startedWithLog})`);
        }
        const result = await act(values, given);
        return typeof result === "number" ? result : 0;
    };
    return { summary, load: (typed, about) => command({ name: typed, about, options, words }, run) };
}

/** A verb for an existing machine. */
function machineVerb(summary: string, act: (cluster: string, name: string) => Promise<unknown>): Commands[string] {
    return verb(summary, { cluster, name }, async (of) => {
        await requireMachine(of.cluster, of.name);
        return act(of.cluster, of.name);
    });
}

const VERBS: Commands = {
    "network create": verb(
        "create a network with DNS and a mirror of images",
        {
            cluster,
            subnet: required(value("CIDR", LEGAL.subnet.legal, LEGAL.subnet)),
            domain: required(value("D", "domain of the machines' names", LEGAL.domain)),
            subnet6: value("CIDR", LEGAL.subnet6.legal, LEGAL.subnet6),
        },
        createNetwork,
    ),
    "network destroy": verb("remove the network", { cluster }, (of) => destroyNetwork(of.cluster)),
    "load-balancer create": verb(
        "create a load balancer; if it exists, switch to the new backends, while connections stay open",
        {
            cluster,
            address,
            backends: required(value("IP,IP,...", "addresses of the controllers", LEGAL.addresses)),
            publish: value("PORT", "port on this machine", LEGAL.port),
        },
        async ({ backends, ...options }) => {
            checkAddress(options.address, (await requireNetwork(options.cluster)).subnet, 3);
            await ensureLoadBalancer({ ...options, backends: backends.split(",") });
        },
    ),
    "load-balancer destroy": verb("remove the load balancer", { cluster }, (of) => destroyLoadBalancer(of.cluster)),
    "machine create": verb(
        "create a machine; reads its configuration from standard input",
        {
            cluster,
            name,
            address,
            address6: value("IP", "its IPv6 address", LEGAL.address6),
            os: choice("FORMAT", "format of its configuration", ["ignition", "cloud-init"]),
            osLike: choice("NAME", "operating system to imitate", OS_LIKES),
            memory: value("SIZE", "limit of its memory, such as 4g", LEGAL.memory),
        },
        async (machine) => {
            checkAddress(machine.address, (await requireNetwork(machine.cluster)).subnet, 4);
            await createMachine({ ...machine, config: await readInput("the configuration of the machine") });
            // Its processor may be emulated: a boot takes minutes.
            if (machine.osLike !== "virtual-machine") await requireFit(machine.cluster, machine.name, console.log);
        },
    ),
    "machine destroy": verb("remove a machine", { cluster, name }, (of) => destroyMachine(of.cluster, of.name)),
    "machine reboot": machineVerb("reboot gracefully", reboot),
    "machine power-cut": machineVerb("hard power-off, then power-on", powerCut),
    "machine power-off": machineVerb("hard power-off", powerOff),
    "machine power-on": machineVerb("power on", powerOn),
    "machine console": machineVerb("print the console log", async (of, name) => {
        process.stdout.write(await consoleLog(of, name));
    }),
    "bootstrap run": verb(
        "start a cluster on a machine; reads its assets from standard input (gzip in base64)",
        { cluster, name, timeout },
        async (of) => {
            await requireMachine(of.cluster, of.name);
            const packed = Buffer.from(await readInput("the assets of the bootstrap"), "base64");
            await startBootstrap(of.cluster, of.name, JSON.parse(gunzipSync(packed).toString()));
            await waitForBootstrap(of);
        },
    ),
    "bootstrap wait": verb("wait until the control plane has pivoted", { cluster, name, timeout }, async (of) => {
        await requireMachine(of.cluster, of.name);
        await waitForBootstrap(of);
    }),
    exec: verb(
        "run a command on a machine",
        { cluster, name },
        async (of, words) => {
            await requireMachine(of.cluster, of.name);
            return execInteractive(of.cluster, of.name, words);
        },
        ["COMMAND", "the command and its arguments, after --"],
    ),
    list: verb(
        "list containers",
        { cluster: value("C", "only those of this cluster", LEGAL.label), json: flag("as JSON") },
        async (of) => {
            const found = await list(of.cluster);
            const lines = found.map((item) =>
                [item.cluster, item.name, item.role, item.address, item.state].join("\t"),
            );
            console.log(of.json ? JSON.stringify(found, null, 2) : lines.join("\n"));
        },
    ),
    logs: verb("save the logs of all containers", { cluster, into: required(value("DIR", "a folder")) }, async (of) => {
        const names = await collectLogs(of.cluster, of.into);
        console.log(`saved the logs of ${names.length} containers to ${of.into}`);
    }),
    destroy: verb("remove the whole cluster", { cluster }, (of) => destroyCluster(of.cluster)),
};

/** Runs one command and resolves to its exit code. */
export const main = commandGroup({
    name: "node -r tsx/cjs machines/cli.ts",
    about: "Local machines: containers that boot systemd and are configured by Ignition.",
    commands: VERBS,
}).run;

/**
 * Reads standard input, as it may hold keys that must not show up in a process list. Read as a stream: a plain read of
 * a pipe with a slower writer fails with EAGAIN.
 */
async function readInput(what: string): Promise<string> {
    const input = process.stdin.isTTY ? "" : await text(process.stdin);
    if (input.trim() === "") {
        throw new UsageError(`standard input must be ${what} (got nothing)`);
    }
    return input;
}

if (require.main === module) require("../command-line/end-with.cjs").endWith(main(process.argv.slice(2)));
