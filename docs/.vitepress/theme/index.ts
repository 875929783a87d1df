// VitePress' own theme, in our colours and the fonts of the reader's machine.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './look.css';

export default DefaultTheme;
