import { runAgent } from "../../harness/main";
import { readPlan } from "./plan";
import { receive } from "./receive";

runAgent(async (path = "") => receive(readPlan(path)), { onSignal: "the next start resumes here" });
