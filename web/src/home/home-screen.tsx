import { ScreenTitle } from '../parts/screen-title.tsx';

export default function HomeScreen() {
  return <ScreenTitle title="Home" />;
}
