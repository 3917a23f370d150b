import { describeBareMachine } from "./bare-machine";
import { describeLikeCluster } from "./like-cluster";
import { systems } from "./systems";

describeBareMachine("ubuntu", systems.ubuntu);
describeLikeCluster("ubuntu", systems.ubuntu, { os: "cloud-init", isLong: false });
