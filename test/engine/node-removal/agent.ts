import { join } from "node:path";
import { agentProcess } from "../agent-process";

export const { runAgent, runUntilCrash } = agentProcess("node-removal", join(__dirname, "crashing-agent.ts"));
