import { describeBareMachine } from "./bare-machine";
import { likeCluster } from "./like-cluster";
import { systems } from "./systems";

describeBareMachine("ubuntu", systems.ubuntu);

describe("a cluster of machines like Ubuntu", likeCluster("ubuntu", systems.ubuntu, "cloud-init"));
