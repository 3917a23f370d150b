import { describeLong } from "../../takes-long";
import { describeBareMachine } from "./bare-machine";
import { likeCluster } from "./like-cluster";
import { systems } from "./systems";

describeBareMachine("flatcar", systems.flatcar);

describeLong("a cluster of machines like Flatcar", likeCluster("flatcar", systems.flatcar, "ignition"));
