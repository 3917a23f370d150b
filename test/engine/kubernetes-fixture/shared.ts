import { ApiServer } from "../apiserver";
import { Engine } from "./stack";

let started: Promise<[ApiServer, Engine]> | undefined;

/**
 * One API server and one engine for all test files of a process that leave them unchanged; each uses its own names.
 * They end with the process.
 */
export function shared(): Promise<[ApiServer, Engine]> {
    started ??= Promise.all([ApiServer.start(), Engine.start()]);
    return started;
}
