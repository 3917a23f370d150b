"use strict";

const { spawn } = require("node:child_process");
const { createHash } = require("node:crypto");
const { existsSync, readdirSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const ROOT = join(__dirname, "..");

/** Runs `npm ci` unless `node_modules` matches package-lock.json. */
exports.ensureNpmPackages = async function ensureNpmPackages(root = ROOT) {
    const lock = readFileSync(join(root, "package-lock.json"));
    const hash = createHash("sha256").update(lock).digest("hex");
    const stamp = join(root, "node_modules/.tradewind-lock");
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) {
        return;
    }
    const desired = JSON.parse(lock).packages;
    if (!exports.matches(desired, installed(root))) {
        await install(root, Object.keys(desired).filter((path) => path && !desired[path].optional).length);
    }
    writeFileSync(stamp, hash);
};

/** Whether every package in the lock file is installed in that version; optional ones depend on the platform. */
exports.matches = function matches(desired, present) {
    return Object.keys(desired).every((path) => {
        const isOptional = path === "" || desired[path].optional || desired[path].devOptional;
        return present[path] ? present[path].version === desired[path].version : isOptional;
    });
};

/** npm's own record of the last installation. */
function installed(root) {
    const note = join(root, "node_modules/.package-lock.json");
    return existsSync(note) ? JSON.parse(readFileSync(note, "utf8")).packages : {};
}

// Standard output belongs to the command: `npm run bench` prints results there.
function install(root, total) {
    const npm = process.env.npm_execpath;
    const [command, ...args] = npm && /npm-cli\.js$/.test(npm) ? [process.execPath, npm] : ["npm"];
    const began = Date.now();
    const elapsed = () => `${Math.round((Date.now() - began) / 1000)} s`;
    console.error(`==> npm packages: installing ${total} from package-lock.json`);
    const progress = setInterval(() => {
        console.error(`    ${elapsed()}, ${folders(root)} package folders so far`);
    }, 5000);
    return new Promise((resolve, reject) => {
        const child = spawn(command, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
            cwd: root,
            stdio: ["ignore", process.stderr, process.stderr],
        });
        child.on("error", reject);
        child.on("close", (exitCode) =>
            exitCode === 0 ? resolve() : reject(new Error(`npm ci failed (exit code ${exitCode}); run it for details`)),
        );
    })
        .then(() => console.error(`    done in ${elapsed()}`))
        .finally(() => clearInterval(progress));
}

function folders(root) {
    const path = join(root, "node_modules");
    return existsSync(path) ? readdirSync(path).filter((name) => !name.startsWith(".")).length : 0;
}
