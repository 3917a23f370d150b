import { posix } from "node:path";
import type { Config } from "../config";
import type { Directory, File, Link } from "../storage";
import type { Unit } from "../types";
import { removalCommands, userCommands } from "./accounts";
import { isRemote, octal, ownerName, systemd } from "./files";

type Command = string | string[];

const restart = (service: string): Command => ["systemctl", "restart", service];
/** For a service that may be missing or stopped. */
const ifActive = (service: string, verb: string): Command =>
    `if systemctl is-active --quiet ${service}; then systemctl ${verb} ${service}; fi`;

/** Commands that reload folders whose readers have read them before cloud-init wrote to them. */
const readers = {
    "/etc/modules-load.d/": restart("systemd-modules-load.service"),
    "/etc/sysctl.d/": restart("systemd-sysctl.service"),
    "/etc/tmpfiles.d/": restart("systemd-tmpfiles-setup.service"),
    // It keeps its addresses when it restarts.
    "/etc/systemd/network": ifActive("systemd-networkd.service", "restart"),
    "/etc/systemd/logind.conf.d/": ifActive("systemd-logind.service", "kill --signal=HUP"),
};

/** What remains to do once the files exist, as lines of one script that stops at the first failure. */
export function commands(config: Config): Command[] {
    const { directories = [], files = [], links = [] } = config.storage ?? {};
    const done = [
        ...removalCommands(config),
        ...userCommands(config),
        ...directories.flatMap(directoryCommands),
        ...files.filter(isRemote).map(fetchCommand),
        ...links.flatMap(linkCommands),
        ...readerCommands(files),
        ...unitCommands(config.systemd?.units ?? []),
    ];
    return done.length > 0 ? ["set -e", ...done] : [];
}

function directoryCommands({ path, mode, user, group }: Directory): Command[] {
    return [
        ["mkdir", "-p", path],
        ...(typeof mode === "number" ? [["chmod", octal(mode), path]] : []),
        ...(user || group ? [["chown", `${ownerName(user)}:${ownerName(group)}`, path]] : []),
    ];
}

/** A download that is installed only if its hash matches. */
function fetchCommand({ path, mode, user, group, contents = {} }: File): Command {
    const { source, compression, verification, httpHeaders = [] } = contents;
    const [, kind, digest] = /^(sha\d+)-(.*)$/.exec(verification?.hash ?? "") ?? [];
    const script = [
        'file=$1 url=$2; shift 2; mkdir -p "$(dirname "$file")"',
        'curl -fsSL --retry 30 --retry-delay 2 --retry-connrefused "$@" -o "$file.part" "$url"',
        ...(compression === "gzip" ? ['gunzip -c <"$file.part" >"$file.plain"; mv "$file.plain" "$file.part"'] : []),
        ...(kind ? [`echo "${digest!.toLowerCase()}  $file.part" | ${kind}sum -c --status`] : []),
        `install -m ${octal(mode ?? 0o644)} "$file.part" "$file"`,
        // install itself refuses numbers without a name where it is that of uutils 0.8 (uutils/coreutils#14156).
        ...(user || group ? [`chown ${ownerName(user)}:${ownerName(group)} "$file"`] : []),
        'rm "$file.part"',
    ];
    const headers = httpHeaders.flatMap(({ name, value }) => (value ? ["-H", `${name}: ${value}`] : []));
    return ["sh", "-euc", script.join("\n"), "fetch", path, source!, ...headers];
}

function linkCommands({ path, target, hard, overwrite }: Link): Command[] {
    return [
        ["mkdir", "-p", posix.dirname(path)],
        // ln replaces no directory.
        ...(overwrite ? [["rm", "-rf", path]] : []),
        ["ln", hard ? "-fT" : "-sfnT", target!, path],
    ];
}

function readerCommands(files: readonly File[]): Command[] {
    return Object.entries(readers)
        .filter(([folder]) => files.some(({ path }) => path.startsWith(folder)))
        .map(([, command]) => command);
}

/**
 * As with Ignition, a unit that the OS lacks or that does not start keeps no other one from starting: real configs name
 * units that only some images have.
 */
function unitCommands(units: readonly Unit[]): Command[] {
    const masked = units.filter(({ mask }) => mask);
    const live = units.filter(({ mask }) => !mask);
    const isChanged = ({ contents, dropins = [] }: Unit) => !!contents || dropins.some((dropin) => dropin.contents);
    const attempt = (verb: string) => (each: Unit) => `systemctl ${verb} '${each.name}' || true`;
    return [
        // Not systemctl mask, which refuses where the unit is a file of this folder.
        ...masked.map(({ name }) => ["ln", "-sfnT", "/dev/null", `${systemd}/${name}`]),
        ...(units.length > 0 ? [["systemctl", "daemon-reload"]] : []),
        ...masked.map(attempt("stop")),
        ...units.filter(({ mask }) => mask === false).map(attempt("unmask")),
        ...live.filter(({ enabled }) => enabled === false).map(attempt("disable --now")),
        ...live.filter(({ enabled }) => enabled).map(attempt("enable")),
        // Started last and without waiting: units wait for each other, and some for cloud-init. Running ones may have
        // changed.
        ...live.flatMap((unit) => {
            const verb = unit.enabled ? (isChanged(unit) ? "restart" : "start") : "try-restart";
            const isTouched = unit.enabled || (unit.enabled !== false && isChanged(unit));
            // A template itself never runs.
            return isTouched && !unit.name.includes("@.") ? [attempt(`${verb} --no-block`)(unit)] : [];
        }),
    ];
}
