import { join } from "node:path";
import { agentProcess } from "../agent-process";

export const { runAgent, startAgent, runUntilCrash } = agentProcess("etcd-join", join(__dirname, "crashing-agent.ts"));
